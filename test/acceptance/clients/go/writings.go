package main

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"

	"github.com/google/go-github/v92/github"
)

// A new repository, with a first commit, that the groups after `repositories` write into.
const made = "go-made"

// Groups that write into repositories.
var writings = []group{
	{"repositories", func() {
		mine := all(func(page github.ListOptions) ([]*github.Repository, *github.Response, error) {
			options := &github.RepositoryListByAuthenticatedUserOptions{ListOptions: page}
			return olive.Repositories.ListByAuthenticatedUser(ctx, options)
		})
		names := []string{"harbor/empty", "harbor/hello", "harbor/secret", "olive/hello", "olive/own"}
		equal("mine", sorted(mine, (*github.Repository).GetFullName), names)
		equal("of harbor", len(get(olive.Repositories.ListByOrg(ctx, owner, nil))), 3)
		equal("of olive", get(olive.Repositories.ListByUser(ctx, "olive", nil))[1].GetArchived(), true)
		hello := get(olive.Repositories.Get(ctx, owner, repo))
		equal("topics", hello.Topics, []string{"ships", "greetings"})
		equal("branch", hello.GetDefaultBranch(), "main")
		_, response, err := as("nell").Repositories.Get(ctx, owner, "secret")
		status(404, response, err)
		new := get(olive.Repositories.Create(ctx, owner, &github.Repository{Name: github.Ptr(made), AutoInit: github.Ptr(true)}))
		edited := get(olive.Repositories.Edit(ctx, owner, made, &github.Repository{Description: github.Ptr("Made")}))
		equal("id", edited.GetID(), new.GetID())
		equal("description", edited.GetDescription(), "Made")
		own := get(olive.Repositories.Create(ctx, "", &github.Repository{Name: github.Ptr("go-own"), Private: github.Ptr(true)}))
		equal("private", own.GetPrivate(), true)
		done(olive.Repositories.Delete(ctx, "olive", "go-own"))
		get(olive.Repositories.ListLanguages(ctx, owner, repo))
		equal("contributor", get(olive.Repositories.ListContributors(ctx, owner, repo, &github.ListContributorsOptions{Anon: "1"}))[0].GetContributions() > 0, true)
		equal("new topics", get(olive.Repositories.ReplaceAllTopics(ctx, owner, made, []string{"boats", "ships"})), []string{"boats", "ships"})
		equal("read topics", get(olive.Repositories.ListAllTopics(ctx, owner, made, nil)), []string{"boats", "ships"})
	}},
	{"gitRefs", func() {
		const name = "refs/heads/größe/go"
		get(olive.Git.CreateRef(ctx, owner, repo, github.CreateRef{Ref: name, SHA: fixture("PARENT")}))
		equal("reference", get(olive.Git.GetRef(ctx, owner, repo, name)).GetObject().GetSHA(), fixture("PARENT"))
		moved := get(olive.Git.UpdateRef(ctx, owner, repo, name, github.UpdateRef{SHA: fixture("COMMIT")}))
		equal("moved", moved.GetObject().GetSHA(), fixture("COMMIT"))
		back := github.UpdateRef{SHA: fixture("PARENT")}
		_, response, err := olive.Git.UpdateRef(ctx, owner, repo, name, back)
		status(422, response, err)
		back.Force = github.Ptr(true)
		get(olive.Git.UpdateRef(ctx, owner, repo, name, back))
		equal("matching", len(get(olive.Git.ListMatchingRefs(ctx, owner, repo, "heads/größe"))), 1)
		done(olive.Git.DeleteRef(ctx, owner, repo, name))
		_, response, err = olive.Git.GetRef(ctx, owner, repo, name)
		status(404, response, err)
		tag := get(olive.Git.GetRef(ctx, owner, repo, "tags/v1"))
		equal("type", tag.GetObject().GetType(), "tag")
	}},
	{"gitBlobs", func() {
		equal("text", string(get(olive.Git.GetBlobRaw(ctx, owner, repo, fixture("BLOB")))), "# Hello\n\nships\n")
		blob := get(olive.Git.GetBlob(ctx, owner, repo, fixture("BLOB")))
		equal("size", blob.GetSize(), 15)
		equal("encoding", blob.GetEncoding(), "base64")
		body := github.Blob{Content: github.Ptr("IyBIZWxsbwoKc2hpcHMK"), Encoding: github.Ptr("base64")}
		equal("id", get(olive.Git.CreateBlob(ctx, owner, repo, body)).GetSHA(), fixture("BLOB"))
	}},
	{"gitTrees", func() {
		tree := get(olive.Git.GetTree(ctx, owner, repo, "main", true))
		paths := sorted(tree.Entries, (*github.TreeEntry).GetPath)
		equal("paths", paths, []string{".github", ".github/workflows", ".github/workflows/ci.yml", "LICENSE", "README.md", "docs", "docs/CODEOWNERS", "docs/manual.md", "link", "src", "src/README.md", "src/greet.ts"})
		entry := func(path string) *github.TreeEntry {
			return &github.TreeEntry{Path: &path, Mode: github.Ptr("100644"), Type: github.Ptr("blob")}
		}
		added, removed := entry("deep/new.txt"), entry("README.md")
		added.Content = github.Ptr("new\n")
		changed := get(olive.Git.CreateTree(ctx, owner, repo, fixture("TREE"), []*github.TreeEntry{added, removed}))
		equal("changed", sorted(changed.Entries, (*github.TreeEntry).GetPath), []string{".github", "LICENSE", "deep", "docs", "link", "src"})
	}},
	{"gitCommits", func() {
		author := &github.CommitAuthor{Name: github.Ptr("Olive Marsh"), Email: github.Ptr("olive@harbor.example")}
		commit := get(olive.Git.CreateCommit(ctx, owner, repo, github.Commit{
			Message: github.Ptr("By go-github"), Author: author,
			Tree:    &github.Tree{SHA: github.Ptr(fixture("TREE"))},
			Parents: []*github.Commit{{SHA: github.Ptr(fixture("COMMIT"))}},
		}, nil))
		read := get(olive.Git.GetCommit(ctx, owner, repo, commit.GetSHA()))
		equal("message", read.GetMessage(), "By go-github")
		equal("author", read.GetAuthor().GetName(), "Olive Marsh")
		equal("parent", read.Parents[0].GetSHA(), fixture("COMMIT"))
		equal("reason", read.GetVerification().GetReason(), "unsigned")
	}},
	{"gitTags", func() {
		equal("message", get(olive.Git.GetTag(ctx, owner, repo, fixture("TAG"))).GetMessage(), "The first season\n")
		tag := get(olive.Git.CreateTag(ctx, owner, repo, github.CreateTag{
			Tag: "second", Message: "The second season\n", Object: fixture("COMMIT"), Type: "commit",
		}))
		equal("object", tag.GetObject().GetSHA(), fixture("COMMIT"))
		equal("read", get(olive.Git.GetTag(ctx, owner, repo, tag.GetSHA())).GetTag(), "second")
	}},
	{"contents", func() {
		file, _, _, err := olive.Repositories.GetContents(ctx, owner, repo, "README.md", nil)
		equal("error", err, nil)
		text, _ := file.GetContent()
		equal("text", text, "# Hello\n\nships\n")
		_, folder, _, _ := olive.Repositories.GetContents(ctx, owner, repo, "docs", nil)
		equal("folder", sorted(folder, (*github.RepositoryContent).GetPath), []string{"docs/CODEOWNERS", "docs/manual.md"})
		equal("readme", get(olive.Repositories.GetReadme(ctx, owner, repo, nil)).GetPath(), "README.md")
		equal("license", get(olive.Repositories.License(ctx, owner, repo)).GetLicense().GetSPDXID(), "ISC")
		raw := get(olive.Repositories.DownloadContents(ctx, owner, repo, "docs/manual.md", nil))
		bytes, _ := io.ReadAll(raw)
		equal("download", string(bytes), "Ahoy, 世界\n")
	}},
	{"contents: write", func() {
		options := func(message string, content string) *github.RepositoryContentFileOptions {
			return &github.RepositoryContentFileOptions{Message: &message, Content: []byte(content), Branch: github.Ptr("main")}
		}
		const path = "docs/größe.md"
		created := get(olive.Repositories.CreateFile(ctx, owner, made, path, options("Create", "one\n")))
		_, response, err := olive.Repositories.CreateFile(ctx, owner, made, path, options("Again", "two\n"))
		status(422, response, err)
		update := options("Update", "two\n")
		update.SHA = created.Content.SHA
		updated := get(olive.Repositories.UpdateFile(ctx, owner, made, path, update))
		equal("message", updated.Commit.GetMessage(), "Update")
		equal("parent", updated.Commit.Parents[0].GetSHA(), created.Commit.GetSHA())
		removal := options("Delete", "")
		removal.SHA = updated.Content.SHA
		equal("removed", get(olive.Repositories.DeleteFile(ctx, owner, made, path, removal)).Content == nil, true)
		_, _, response, err = olive.Repositories.GetContents(ctx, owner, made, path, nil)
		status(404, response, err)
	}},
	{"branches: write", func() {
		tip := get(olive.Git.GetRef(ctx, owner, made, "heads/main")).GetObject().GetSHA()
		get(olive.Git.CreateRef(ctx, owner, made, github.CreateRef{Ref: "refs/heads/topic", SHA: tip}))
		message := "On a topic"
		change := &github.RepositoryContentFileOptions{Message: &message, Content: []byte("topic\n"), Branch: github.Ptr("topic")}
		get(olive.Repositories.CreateFile(ctx, owner, made, "topic.txt", change))
		equal("renamed", get(olive.Repositories.RenameBranch(ctx, owner, made, "topic", "renamed")).GetName(), "renamed")
		merge := github.RepositoryMergeRequest{Base: "main", Head: "renamed", CommitMessage: github.Ptr("Merge it")}
		equal("merge", get(olive.Repositories.Merge(ctx, owner, made, merge)).GetCommit().GetMessage(), "Merge it")
		_, response, err := olive.Repositories.Merge(ctx, owner, made, merge)
		equal("nothing to merge", response.StatusCode, 204)
		equal("error", err, nil)
	}},
	{"archives", func() {
		link := get(olive.Repositories.GetArchiveLink(ctx, owner, repo, github.Zipball, &github.RepositoryContentGetOptions{Ref: "main"}, 1))
		archive := unzip(link.String())
		var names []string
		for _, file := range archive.File {
			names = append(names, file.Name)
		}
		equal("files", len(names) >= 4, true)
		get(olive.Repositories.GetArchiveLink(ctx, owner, repo, github.Tarball, &github.RepositoryContentGetOptions{Ref: "main"}, 1))
	}},
	{"artifacts", func() {
		artifacts := get(olive.Actions.ListArtifacts(ctx, owner, repo, nil))
		names := sorted(artifacts.Artifacts, (*github.Artifact).GetName)
		equal("names", names, []string{"old", "report", "spare"})
		ofRun := get(olive.Actions.ListWorkflowRunArtifacts(ctx, owner, repo, 7, nil)).Artifacts
		equal("of the run", ofRun[0].GetName(), "report")
		report := get(olive.Actions.GetArtifact(ctx, owner, repo, ofRun[0].GetID()))
		equal("run", report.GetWorkflowRun().GetID(), int64(7))
		link := get(olive.Actions.DownloadArtifact(ctx, owner, repo, report.GetID(), 1))
		file, err := unzip(link.String()).Open("report.txt")
		equal("error", err, nil)
		text, _ := io.ReadAll(file)
		equal("text", string(text), "all is well\n")
		spare := get(olive.Actions.ListArtifacts(ctx, owner, repo, &github.ListArtifactsOptions{Name: github.Ptr("spare")}))
		done(olive.Actions.DeleteArtifact(ctx, owner, repo, spare.Artifacts[0].GetID()))
	}},
	{"commitComments", func() {
		comments := all(func(page github.ListOptions) ([]*github.RepositoryComment, *github.Response, error) {
			return olive.Repositories.ListComments(ctx, owner, repo, &page)
		})
		equal("count", len(comments), 3)
		equal("body", get(olive.Repositories.GetComment(ctx, owner, repo, 11)).GetBody(), "**Well** said.")
		body := github.UpdateCommitCommentRequest{Body: "On one line."}
		equal("updated", get(olive.Repositories.UpdateComment(ctx, owner, repo, 12, body)).GetBody(), "On one line.")
		done(olive.Repositories.DeleteComment(ctx, owner, repo, 13))
		head := fixture("COMMIT")
		comment := github.CreateCommitCommentRequest{Body: "Well done", Path: github.Ptr("docs/manual.md"), Line: github.Ptr(1)}
		created := get(olive.Repositories.CreateComment(ctx, owner, repo, head, comment))
		equal("path", created.GetPath(), "docs/manual.md")
		equal("commit", created.GetCommitID(), head)
		ofCommit := get(olive.Repositories.ListCommitComments(ctx, owner, repo, head, nil))
		equal("of a commit", ofCommit[len(ofCommit)-1].GetID(), created.GetID())
	}},
	{"reviewComments", func() {
		comments := all(func(page github.ListOptions) ([]*github.PullRequestComment, *github.Response, error) {
			return olive.PullRequests.ListComments(ctx, owner, repo, 0, &github.PullRequestListCommentsOptions{ListOptions: page})
		})
		equal("count", len(comments), 4)
		equal("line", get(olive.PullRequests.GetComment(ctx, owner, repo, 21)).GetLine(), 2)
		body := github.UpdatePullRequestCommentRequest{Body: "Because of that."}
		equal("updated", get(olive.PullRequests.UpdateComment(ctx, owner, repo, 22, body)).GetBody(), "Because of that.")
		equal("reply", get(olive.PullRequests.GetComment(ctx, owner, repo, 24)).GetInReplyTo(), int64(21))
	}},
}

func unzip(link string) *zip.Reader {
	response, err := http.Get(link)
	equal("error", err, nil)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	equal("error", err, nil)
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	equal("error", err, nil)
	return archive
}
