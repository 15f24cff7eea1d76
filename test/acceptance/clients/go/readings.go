package main

import (
	"slices"
	"strings"

	"github.com/google/go-github/v92/github"
)

// Groups that only read.
var readings = []group{
	{"rateLimit", func() {
		limits := get(olive.RateLimit.Get(ctx))
		equal("limit", limits.Core.Limit, 5000)
		equal("code search", limits.CodeSearch.Limit, 30)
	}},
	{"users", func() {
		equal("me", get(olive.Users.Get(ctx, "")).GetLogin(), "olive")
		equal("name", get(olive.Users.Get(ctx, "piers")).GetName(), "Piers Quay")
		_, response, err := olive.Users.Get(ctx, "nobody")
		status(404, response, err)
	}},
	{"organizations", func() {
		mine := all(func(page github.ListOptions) ([]*github.Organization, *github.Response, error) {
			return olive.Organizations.List(ctx, "", &page)
		})
		equal("mine", sorted(mine, (*github.Organization).GetLogin), []string{"harbor", "pier"})
		equal("name", get(olive.Organizations.Get(ctx, owner)).GetName(), "Harbor Board")
	}},
	{"branches", func() {
		branches := all(func(page github.ListOptions) ([]*github.Branch, *github.Response, error) {
			return olive.Repositories.ListBranches(ctx, owner, repo, &github.BranchListOptions{ListOptions: page})
		})
		names := []string{"clash", "greet-danish", "greet-finnish", "greet-late", "greet-swedish", "guarded", "guarded-2", "guarded-3", "guarded-4", "guarded-5", "main", "old", "side"}
		equal("names", sorted(branches, (*github.Branch).GetName), names)
		branch := get(olive.Repositories.GetBranch(ctx, owner, repo, "main", 1))
		equal("commit", branch.GetCommit().GetSHA(), fixture("COMMIT"))
		equal("message", branch.GetCommit().GetCommit().GetMessage(), "Write a manual")
	}},
	{"tags", func() {
		tags := all(func(page github.ListOptions) ([]*github.RepositoryTag, *github.Response, error) {
			return olive.Repositories.ListTags(ctx, owner, repo, &page)
		})
		equal("names", sorted(tags, (*github.RepositoryTag).GetName), []string{"light", "v1"})
		equal("commit", tags[0].GetCommit().GetSHA(), fixture("COMMIT"))
	}},
	{"commits", func() {
		commits := all(func(page github.ListOptions) ([]*github.RepositoryCommit, *github.Response, error) {
			return olive.Repositories.ListCommits(ctx, owner, repo, &github.CommitsListOptions{ListOptions: page})
		})
		equal("commits", []string{commits[0].GetSHA(), commits[1].GetSHA()}, []string{fixture("COMMIT"), fixture("PARENT")})
		commit := get(olive.Repositories.GetCommit(ctx, owner, repo, "main", nil))
		equal("files", sorted(commit.Files, (*github.CommitFile).GetFilename), []string{"docs/CODEOWNERS", "docs/manual.md", "link"})
		id, _, err := olive.Repositories.GetCommitSHA1(ctx, owner, repo, "main", "")
		equal("id", id, fixture("COMMIT"))
		equal("error", err, nil)
		_, response, err := olive.Repositories.GetCommitSHA1(ctx, owner, repo, "main", id)
		status(304, response, err)
		comparison := get(olive.Repositories.CompareCommits(ctx, owner, repo, "side", "main", nil))
		equal("ahead", comparison.GetAheadBy(), 1)
		equal("merge base", comparison.GetMergeBaseCommit().GetSHA(), fixture("PARENT"))
		diff := get(olive.Repositories.CompareCommitsRaw(ctx, owner, repo, "side", "main", github.RawOptions{Type: github.Diff}))
		equal("diff", strings.HasPrefix(diff, "diff --git a/docs/CODEOWNERS"), true)
		patch := get(olive.Repositories.GetCommitRaw(ctx, owner, repo, "main", github.RawOptions{Type: github.Patch}))
		equal("patch", strings.HasPrefix(patch, "From "+fixture("COMMIT")), true)
	}},
	{"search", func() {
		found := get(olive.Search.Code(ctx, "ahoy repo:harbor/hello", &github.SearchOptions{TextMatch: true}))
		paths := sorted(found.CodeResults, (*github.CodeResult).GetPath)
		equal("paths", paths, []string{"docs/manual.md", "src/greet.ts"})
		equal("total", found.GetTotal(), 2)
		equal("fragment", strings.Contains(strings.ToLower(found.CodeResults[0].TextMatches[0].GetFragment()), "ahoy"), true)
	}},
	{"events", func() {
		events := all(func(page github.ListOptions) ([]*github.Event, *github.Response, error) {
			return olive.Activity.ListRepositoryEvents(ctx, owner, repo, &page)
		})
		types := sorted(events, (*github.Event).GetType)
		for _, name := range []string{"CreateEvent", "DeleteEvent", "PublicEvent", "PushEvent", "WatchEvent"} {
			equal(name, slices.Contains(types, name), true)
		}
		for _, event := range events {
			payload, err := event.ParsePayload()
			equal("error", err, nil)
			if push, is := payload.(*github.PushEvent); is {
				equal("reference", push.GetRef(), "refs/heads/main")
			}
			if watch, is := payload.(*github.WatchEvent); is {
				equal("action", watch.GetAction(), "started")
			}
		}
		equal("public", len(get(olive.Activity.ListEvents(ctx, nil))) > 0, true)
		equal("organization", get(olive.Activity.ListEventsForOrganization(ctx, owner, nil))[0].GetOrg().GetLogin(), owner)
		equal("by user", len(get(olive.Activity.ListEventsPerformedByUser(ctx, "piers", false, nil))) > 0, true)
		equal("by user, public", len(get(olive.Activity.ListEventsPerformedByUser(ctx, "piers", true, nil))) > 0, true)
		get(olive.Activity.ListEventsReceivedByUser(ctx, "olive", false, nil))
	}},
}
