package main

import (
	"github.com/google/go-github/v92/github"
)

// Settings of a user, and installations.
var account = []group{
	{"keys", func() {
		keys := all(func(page github.ListOptions) ([]*github.Key, *github.Response, error) {
			return olive.Users.ListKeys(ctx, "", &page)
		})
		equal("titles", sorted(keys, (*github.Key).GetTitle), []string{"lamp", "spare"})
		_, response, err := olive.Users.CreateKey(ctx, github.CreateUserKeyRequest{Key: keys[0].GetKey()})
		status(422, response, err)
		equal("key", get(olive.Users.GetKey(ctx, keys[1].GetID())).GetKey(), keys[1].GetKey())
		done(olive.Users.DeleteKey(ctx, keys[1].GetID()))
		again := get(olive.Users.CreateKey(ctx, github.CreateUserKeyRequest{Title: github.Ptr("again"), Key: keys[1].GetKey()}))
		equal("title", again.GetTitle(), "again")
		equal("public", len(get(olive.Users.ListKeys(ctx, "olive", nil))), 2)
	}},
	{"deployKeys", func() {
		keys := all(func(page github.ListOptions) ([]*github.Key, *github.Response, error) {
			return olive.Repositories.ListKeys(ctx, owner, repo, &page)
		})
		equal("titles", sorted(keys, (*github.Key).GetTitle), []string{"To be deleted", "deploy"})
		done(olive.Repositories.DeleteKey(ctx, owner, repo, keys[1].GetID()))
		body := github.CreateDeployKeyRequest{Title: github.Ptr("again"), Key: keys[1].GetKey(), ReadOnly: github.Ptr(true)}
		again := get(olive.Repositories.CreateKey(ctx, owner, repo, body))
		read := get(olive.Repositories.GetKey(ctx, owner, repo, again.GetID()))
		equal("title", read.GetTitle(), "again")
		equal("read-only", read.GetReadOnly(), true)
		equal("added by", read.GetAddedBy(), "olive")
	}},
	{"blocks", func() {
		equal("before", get(olive.Users.IsBlocked(ctx, "piers")), false)
		done(olive.Users.BlockUser(ctx, "piers"))
		equal("after", get(olive.Users.IsBlocked(ctx, "piers")), true)
		blocked := all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
			return olive.Users.ListBlockedUsers(ctx, &page)
		})
		equal("logins", sorted(blocked, (*github.User).GetLogin), []string{"nell", "piers"})
		done(olive.Users.UnblockUser(ctx, "piers"))
	}},
	{"installations", func() {
		installations := all(func(page github.ListOptions) ([]*github.Installation, *github.Response, error) {
			return olive.Apps.ListUserInstallations(ctx, &page)
		})
		equal("app", installations[0].GetAppSlug(), "buoy")
		app := as("spent")
		reached := get(app.Apps.ListRepos(ctx, nil))
		equal("repositories", sorted(reached.Repositories, (*github.Repository).GetFullName), []string{"harbor/hello"})
		done(app.Apps.RevokeInstallationToken(ctx))
		_, response, err := app.Apps.ListRepos(ctx, nil)
		status(401, response, err)
	}},
}
