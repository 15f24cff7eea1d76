package main

import (
	"slices"
	"strings"

	"github.com/google/go-github/v92/github"
)

// The owner of the organization `yard` of people.json.
var rosa = as("rosa")

const yard = "yard"

func namesOf(repositories []*github.Repository) []string {
	names := make([]string, 0, len(repositories))
	for _, one := range repositories {
		names = append(names, one.GetFullName())
	}
	return names
}

// Commits a file to the branch main.
func write(owner, repo, path string) string {
	message := "Write " + path
	options := &github.RepositoryContentFileOptions{Message: &message, Content: []byte(owner + "\n")}
	return get(rosa.Repositories.CreateFile(ctx, owner, repo, path, options)).Commit.GetSHA()
}

// Settings, templates, transfers, forks and searches of repositories.
var repositories = []group{
	{"search: repositories", func() {
		options := &github.SearchOptions{Sort: "stars", Order: "desc", TextMatch: true}
		found := get(rosa.Search.Repositories(ctx, "hulls org:yard", options))
		equal("names", namesOf(found.Repositories), []string{"yard/hulls", "yard/plans"})
		equal("total", found.GetTotal(), 2)
		equal("complete", found.GetIncompleteResults(), false)
		equal("fragment", found.Repositories[0].TextMatches[0].GetFragment(), "hulls")
		typescript := get(rosa.Search.Repositories(ctx, "language:typescript org:yard", nil))
		equal("of a language", namesOf(typescript.Repositories), []string{"yard/plans"})
	}},
	{"search: users", func() {
		found := get(rosa.Search.Users(ctx, "reyes location:rotterdam", &github.SearchOptions{TextMatch: true}))
		equal("logins", sorted(found.Users, (*github.User).GetLogin), []string{"rosa"})
		equal("fragment", found.Users[0].TextMatches[0].GetFragment(), "Rosa Reyes")
	}},
	{"search: commits", func() {
		id := write(yard, "hulls", "seams.md")
		found := get(rosa.Search.Commits(ctx, `"write seams" repo:yard/hulls author:rosa`, &github.SearchOptions{Sort: "author-date"}))
		equal("total", found.GetTotal(), 1)
		equal("id", found.Commits[0].GetSHA(), id)
		equal("message", found.Commits[0].GetCommit().GetMessage(), "Write seams.md")
		equal("author", found.Commits[0].GetAuthor().GetLogin(), "rosa")
		equal("repository", found.Commits[0].GetRepository().GetFullName(), "yard/hulls")
	}},
	{"search: labels", func() {
		hulls := get(rosa.Repositories.Get(ctx, yard, "hulls"))
		found := get(rosa.Search.Labels(ctx, hulls.GetID(), "oak", nil))
		equal("names", []string{found.Labels[0].GetName(), found.Labels[1].GetName()}, []string{"oak rot", "leak"})
		equal("color", found.Labels[0].GetColor(), "8b4513")
		equal("total", found.GetTotal(), 2)
	}},
	{"search: topics", func() {
		found := get(rosa.Search.Topics(ctx, "hulls", nil))
		equal("total", found.GetTotal(), 1)
		equal("name", found.Topics[0].GetName(), "hulls")
		equal("featured", found.Topics[0].GetFeatured(), false)
	}},
	{"repositories: settings", func() {
		created := get(rosa.Repositories.Create(ctx, yard, &github.Repository{
			Name: github.Ptr("masts"), Visibility: github.Ptr("private"), AutoInit: github.Ptr(true),
			GitignoreTemplate: github.Ptr("Node"), LicenseTemplate: github.Ptr("mit"), HasWiki: github.Ptr(false),
			AllowRebaseMerge: github.Ptr(false), DeleteBranchOnMerge: github.Ptr(true),
		}))
		equal("private", created.GetPrivate(), true)
		equal("wiki", created.GetHasWiki(), false)
		equal("rebase", created.GetAllowRebaseMerge(), false)
		equal("squash", created.GetAllowSquashMerge(), true)
		equal("deletes branches", created.GetDeleteBranchOnMerge(), true)
		equal("title", created.GetMergeCommitTitle(), "MERGE_MESSAGE")
		equal("license", get(rosa.Repositories.License(ctx, yard, "masts")).GetLicense().GetSPDXID(), "MIT")
		get(rosa.Repositories.Edit(ctx, yard, "masts", &github.Repository{
			HasIssues: github.Ptr(false), HasDiscussions: github.Ptr(true), IsTemplate: github.Ptr(true),
			AllowAutoMerge: github.Ptr(true), AllowUpdateBranch: github.Ptr(true), WebCommitSignoffRequired: github.Ptr(true),
			SquashMergeCommitTitle: github.Ptr("PR_TITLE"), SquashMergeCommitMessage: github.Ptr("PR_BODY"),
		}))
		read := get(rosa.Repositories.Get(ctx, yard, "masts"))
		equal("issues", read.GetHasIssues(), false)
		equal("discussions", read.GetHasDiscussions(), true)
		equal("template", read.GetIsTemplate(), true)
		equal("automatic merges", read.GetAllowAutoMerge(), true)
		equal("updates of branches", read.GetAllowUpdateBranch(), true)
		equal("sign-off", read.GetWebCommitSignoffRequired(), true)
		equal("title of squash merges", read.GetSquashMergeCommitTitle(), "PR_TITLE")
		equal("message of squash merges", read.GetSquashMergeCommitMessage(), "PR_BODY")
		equal("no issues", len(get(rosa.Issues.ListByRepo(ctx, yard, "masts", nil))), 0)
		_, response, err := rosa.Issues.Create(ctx, yard, "masts", github.CreateIssueRequest{Title: "Varnish"})
		status(410, response, err)
		invalid := &github.Repository{MergeCommitTitle: github.Ptr("PR_TITLE"), MergeCommitMessage: github.Ptr("PR_TITLE")}
		_, response, err = rosa.Repositories.Edit(ctx, yard, "masts", invalid)
		status(422, response, err)
		done(rosa.Repositories.Delete(ctx, yard, "masts"))
	}},
	{"repositories: templates", func() {
		skiff := get(rosa.Repositories.CreateFromTemplate(ctx, yard, "plans", github.TemplateRepoRequest{
			Name: "skiff", Owner: github.Ptr(yard), Description: github.Ptr("A small boat"),
			IncludeAllBranches: github.Ptr(true), Private: github.Ptr(true),
		}))
		equal("name", skiff.GetFullName(), "yard/skiff")
		equal("private", skiff.GetPrivate(), true)
		equal("template", skiff.GetTemplateRepository().GetFullName(), "yard/plans")
		branches := get(rosa.Repositories.ListBranches(ctx, yard, "skiff", nil))
		equal("branches", sorted(branches, (*github.Branch).GetName), []string{"draft", "main"})
		equal("commits", len(get(rosa.Repositories.ListCommits(ctx, yard, "skiff", nil))), 1)
		_, response, err := rosa.Repositories.CreateFromTemplate(ctx, yard, "hulls", github.TemplateRepoRequest{Name: "raft"})
		status(422, response, err)
	}},
	{"repositories: transfer", func() {
		dinghy := get(rosa.Repositories.CreateFromTemplate(ctx, yard, "plans", github.TemplateRepoRequest{Name: "dinghy"}))
		transfer := github.TransferRequest{NewOwner: yard, NewName: github.Ptr("tender")}
		accepted(rosa.Repositories.Transfer(ctx, "rosa", "dinghy", transfer))
		moved := get(rosa.Repositories.Get(ctx, yard, "tender"))
		equal("id", moved.GetID(), dinghy.GetID())
		equal("type of the owner", moved.GetOwner().GetType(), "Organization")
		equal("redirect", get(rosa.Repositories.Get(ctx, "rosa", "dinghy")).GetFullName(), "yard/tender")
		_, response, err := rosa.Repositories.Transfer(ctx, yard, "tender", github.TransferRequest{NewOwner: "otto"})
		status(422, response, err)
	}},
	{"repositories: public", func() {
		plans := get(rosa.Repositories.Get(ctx, yard, "plans"))
		since := get(rosa.Repositories.ListAll(ctx, &github.RepositoryListAllOptions{Since: plans.GetID() - 1}))
		equal("since", namesOf(since)[:2], []string{"yard/plans", "yard/hulls"})
		every := namesOf(get(rosa.Repositories.ListAll(ctx, nil)))
		equal("public", slices.Contains(every, "harbor/hello"), true)
		equal("private", slices.Contains(every, "yard/skiff"), false)
	}},
	{"autolinks", func() {
		prefixes := func() []string {
			return sorted(get(rosa.Repositories.ListAutolinks(ctx, yard, "hulls")), (*github.Autolink).GetKeyPrefix)
		}
		equal("before", prefixes(), []string{"HULL-"})
		body := github.CreateAutolinkRequest{KeyPrefix: "OAK-", URLTemplate: "https://oaks.example/<num>", IsAlphanumeric: github.Ptr(false)}
		created := get(rosa.Repositories.CreateAutolink(ctx, yard, "hulls", body))
		read := get(rosa.Repositories.GetAutolink(ctx, yard, "hulls", created.GetID()))
		equal("prefix", read.GetKeyPrefix(), "OAK-")
		equal("URL", read.GetURLTemplate(), "https://oaks.example/<num>")
		equal("alphanumeric", read.GetIsAlphanumeric(), false)
		_, response, err := rosa.Repositories.CreateAutolink(ctx, yard, "hulls", body)
		status(422, response, err)
		done(rosa.Repositories.DeleteAutolink(ctx, yard, "hulls", created.GetID()))
		equal("after", prefixes(), []string{"HULL-"})
	}},
	{"licenses", func() {
		licenses := all(func(page github.ListOptions) ([]*github.License, *github.Response, error) {
			return rosa.Licenses.List(ctx, &github.ListLicensesOptions{ListOptions: page})
		})
		equal("keys", slices.Contains(sorted(licenses, (*github.License).GetKey), "apache-2.0"), true)
		featured := get(rosa.Licenses.List(ctx, &github.ListLicensesOptions{Featured: github.Ptr(true)}))
		equal("featured", len(featured) < len(licenses), true)
		mit := get(rosa.Licenses.Get(ctx, "mit"))
		equal("name", mit.GetName(), "MIT License")
		equal("permissions", slices.Contains(*mit.Permissions, "commercial-use"), true)
		equal("text", strings.Contains(mit.GetBody(), "Permission is hereby granted"), true)
		_, response, err := rosa.Licenses.Get(ctx, "none")
		status(404, response, err)
	}},
	{"gitignore", func() {
		equal("names", slices.Contains(get(rosa.Gitignores.List(ctx)), "Node"), true)
		node := get(rosa.Gitignores.Get(ctx, "Node"))
		equal("source", strings.Contains(node.GetSource(), "node_modules"), true)
		_, response, err := rosa.Gitignores.Get(ctx, "None")
		status(404, response, err)
	}},
	{"markdown", func() {
		html := get(rosa.Markdown.Render(ctx, "**Ahoy**", nil))
		equal("document", strings.Contains(html, "<strong>Ahoy</strong>"), true)
		linked := get(rosa.Markdown.Render(ctx, "See HULL-12", &github.MarkdownOptions{Mode: "gfm", Context: "yard/hulls"}))
		equal("reference", strings.Contains(linked, `href="https://hulls.example/12"`), true)
	}},
	{"meta", func() {
		equal("passwords", get(rosa.Meta.Get(ctx)).GetVerifiablePasswordAuthentication(), false)
	}},
	{"forks", func() {
		created, response, err := rosa.Repositories.CreateFork(ctx, yard, "hulls", nil)
		accepted(created, response, err)
		equal("name", created.GetFullName(), "rosa/hulls")
		fork := get(rosa.Repositories.Get(ctx, "rosa", "hulls"))
		equal("fork", fork.GetFork(), true)
		equal("parent", fork.GetParent().GetFullName(), "yard/hulls")
		equal("source", fork.GetSource().GetFullName(), "yard/hulls")
		options := &github.RepositoryCreateForkOptions{Organization: yard, Name: "skiffs", DefaultBranchOnly: true}
		accepted(rosa.Repositories.CreateFork(ctx, "fleet", "boats", options))
		equal("of boats", namesOf(get(rosa.Repositories.ListForks(ctx, "fleet", "boats", nil))), []string{"yard/skiffs"})
		forks := all(func(page github.ListOptions) ([]*github.Repository, *github.Response, error) {
			return rosa.Repositories.ListForks(ctx, yard, "hulls", &github.RepositoryListForksOptions{Sort: "oldest", ListOptions: page})
		})
		equal("of hulls", namesOf(forks), []string{"rosa/hulls"})

		body := github.RepoMergeUpstreamRequest{Branch: "main"}
		equal("nothing", get(rosa.Repositories.MergeUpstream(ctx, "rosa", "hulls", body)).GetMergeType(), "none")
		keel := write(yard, "hulls", "keel.md")
		merged := get(rosa.Repositories.MergeUpstream(ctx, "rosa", "hulls", body))
		equal("type", merged.GetMergeType(), "fast-forward")
		equal("base", merged.GetBaseBranch(), "yard:main")
		equal("tip", get(rosa.Repositories.GetBranch(ctx, "rosa", "hulls", "main", 1)).GetCommit().GetSHA(), keel)
		write(yard, "hulls", "deck.md")
		write("rosa", "hulls", "deck.md")
		_, response, err = rosa.Repositories.MergeUpstream(ctx, "rosa", "hulls", body)
		status(409, response, err)
		_, response, err = rosa.Repositories.MergeUpstream(ctx, yard, "hulls", body)
		status(422, response, err)
	}},
}
