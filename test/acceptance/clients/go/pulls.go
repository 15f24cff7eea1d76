package main

import (
	"strings"
	"time"

	"github.com/google/go-github/v92/github"
)

// The app of the fixture's checks, with the token of its installation.
var buoy = as("buoy")

const hulls = "hulls"

// Pull requests, statuses and checks. The fixture's pull request 20 is open, and 23 is merged.
var pulls = []group{
	{"pulls", func() {
		states := &github.PullRequestListOptions{State: "all", Sort: "created", Direction: "asc"}
		every := all(func(page github.ListOptions) ([]*github.PullRequest, *github.Response, error) {
			states.ListOptions = page
			return olive.PullRequests.List(ctx, owner, repo, states)
		})
		equal("all", pullNumbers(every), []int{20, 21, 22, 23})
		equal("open", pullNumbers(get(olive.PullRequests.List(ctx, owner, repo, nil))), []int{22, 21, 20})
		danish := &github.PullRequestListOptions{Head: "harbor:greet-danish", Base: "main"}
		equal("of a head", pullNumbers(get(olive.PullRequests.List(ctx, owner, repo, danish))), []int{20})

		pull := tested(owner, repo, 20)
		equal("title", pull.GetTitle(), "Danish ships")
		equal("author", pull.GetUser().GetLogin(), "piers")
		equal("head", pull.GetHead().GetLabel(), "harbor:greet-danish")
		equal("repository", pull.GetHead().GetRepo().GetFullName(), "harbor/hello")
		equal("base", pull.GetBase().GetRef(), "main")
		equal("mergeable", pull.GetMergeable(), true)
		equal("rebaseable", pull.GetRebaseable(), true)
		equal("state of the merge", pull.GetMergeableState(), "clean")
		equal("numbers", []int{pull.GetCommits(), pull.GetAdditions(), pull.GetDeletions(), pull.GetChangedFiles()}, []int{1, 1, 0, 1})
		equal("not merged", get(olive.PullRequests.IsMerged(ctx, owner, repo, 20)), false)

		commits := get(olive.PullRequests.ListCommits(ctx, owner, repo, 20, nil))
		equal("commits", sorted(commits, (*github.RepositoryCommit).GetSHA), []string{pull.GetHead().GetSHA()})
		equal("message", strings.TrimSpace(commits[0].GetCommit().GetMessage()), "Greet in danish")
		files := get(olive.PullRequests.ListFiles(ctx, owner, repo, 20, nil))
		equal("files", sorted(files, (*github.CommitFile).GetFilename), []string{"src/danish.ts"})
		equal("status of the file", files[0].GetStatus(), "added")
		equal("patch of the file", files[0].GetPatch(), "@@ -0,0 +1 @@\n+export const danish = 'ahoy'")
		diff := get(olive.PullRequests.GetRaw(ctx, owner, repo, 20, github.RawOptions{Type: github.Diff}))
		equal("diff", strings.HasPrefix(diff, "diff --git a/src/danish.ts b/src/danish.ts"), true)
		patch := get(olive.PullRequests.GetRaw(ctx, owner, repo, 20, github.RawOptions{Type: github.Patch}))
		equal("patch", strings.HasPrefix(patch, "From "+pull.GetHead().GetSHA()), true)

		merged := get(olive.PullRequests.Get(ctx, owner, repo, 23))
		equal("merged", merged.GetMerged(), true)
		equal("state", merged.GetState(), "closed")
		equal("merged by", merged.GetMergedBy().GetLogin(), "piers")
		equal("commit of the merge", merged.GetMergeCommitSHA(), fixture("COMMIT"))
		equal("is merged", get(olive.PullRequests.IsMerged(ctx, owner, repo, 23)), true)
		_, response, err := olive.PullRequests.Get(ctx, owner, repo, 1)
		status(404, response, err)
	}},
	{"pulls: create", func() {
		head := branch("rudder")
		body := github.CreatePullRequest{
			Title: github.Ptr("Add a rudder"), Head: "yard:rudder", Base: "main", Body: github.Ptr("By **go-github**"), Draft: github.Ptr(true),
		}
		created := get(rosa.PullRequests.Create(ctx, yard, hulls, body))
		equal("body", created.GetBody(), "By **go-github**")
		equal("draft", created.GetDraft(), true)
		equal("head", created.GetHead().GetSHA(), head)
		equal("association", created.GetAuthorAssociation(), "MEMBER")
		recent("created", created.GetCreatedAt())
		number := created.GetNumber()
		equal("state of a draft", tested(yard, hulls, number).GetMergeableState(), "draft")
		_, response, err := rosa.PullRequests.Create(ctx, yard, hulls, body)
		status(422, response, err)
		body.Head = "none"
		_, response, err = rosa.PullRequests.Create(ctx, yard, hulls, body)
		status(422, response, err)

		get(rosa.Git.CreateRef(ctx, yard, hulls, github.CreateRef{Ref: "refs/heads/dock", SHA: created.GetBase().GetSHA()}))
		change := &github.PullRequest{Title: github.Ptr("Hang a rudder"), Body: github.Ptr("Of oak"), Base: &github.PullRequestBranch{Ref: github.Ptr("dock")}}
		edited := get(rosa.PullRequests.Edit(ctx, yard, hulls, number, change))
		equal("title", edited.GetTitle(), "Hang a rudder")
		equal("base", edited.GetBase().GetRef(), "dock")
		closed := get(rosa.PullRequests.Edit(ctx, yard, hulls, number, &github.PullRequest{State: github.Ptr("closed")}))
		equal("closed", closed.GetState(), "closed")
		equal("not merged", closed.GetMerged(), false)
		recent("closed at", closed.GetClosedAt())
		read := get(rosa.PullRequests.Get(ctx, yard, hulls, number))
		equal("new body", read.GetBody(), "Of oak")
		equal("closed issue", get(rosa.Issues.Get(ctx, yard, hulls, number)).IsPullRequest(), true)
	}},
	{"pulls: merge", func() {
		head := branch("mast")
		branch("oar")
		mast, oar := propose("mast"), propose("oar")
		options := &github.PullRequestOptions{SHA: fixture("COMMIT"), MergeMethod: "squash", CommitTitle: "Raise the mast"}
		_, response, err := rosa.PullRequests.Merge(ctx, yard, hulls, mast, "With two sails", options)
		status(409, response, err)
		options.SHA = head
		result := get(rosa.PullRequests.Merge(ctx, yard, hulls, mast, "With two sails", options))
		equal("merged", result.GetMerged(), true)
		merged := get(rosa.PullRequests.Get(ctx, yard, hulls, mast))
		equal("commit of the merge", merged.GetMergeCommitSHA(), result.GetSHA())
		equal("merged by", merged.GetMergedBy().GetLogin(), "rosa")
		recent("merged at", merged.GetMergedAt())
		commit := get(rosa.Repositories.GetCommit(ctx, yard, hulls, result.GetSHA(), nil))
		equal("message", strings.TrimSpace(commit.GetCommit().GetMessage()), "Raise the mast\n\nWith two sails")
		_, response, err = rosa.PullRequests.Merge(ctx, yard, hulls, mast, "", nil)
		status(405, response, err)
		equal("of the commit", pullNumbers(get(rosa.PullRequests.ListPullRequestsWithCommit(ctx, yard, hulls, result.GetSHA(), nil))), []int{mast})
		heads := get(rosa.Repositories.ListBranchesHeadCommit(ctx, yard, hulls, result.GetSHA()))
		equal("branches", sorted(heads, (*github.BranchCommit).GetName), []string{"main"})
		equal("tip", heads[0].GetCommit().GetSHA(), result.GetSHA())

		wrong := &github.PullRequestBranchUpdateOptions{ExpectedHeadSHA: github.Ptr(head)}
		_, response, err = rosa.PullRequests.UpdateBranch(ctx, yard, hulls, oar, wrong)
		status(422, response, err)
		accepted(rosa.PullRequests.UpdateBranch(ctx, yard, hulls, oar, nil))
		eventually("update of the branch", func() bool {
			commits := get(rosa.PullRequests.ListCommits(ctx, yard, hulls, oar, nil))
			return len(commits) == 2 && len(commits[1].Parents) == 2
		})
	}},
	{"statuses", func() {
		commit := fixture("COMMIT")
		before := get(piers.Repositories.GetCombinedStatus(ctx, owner, repo, "main", nil))
		equal("combined", before.GetState(), "success")
		equal("commit", before.GetSHA(), commit)
		equal("total", before.GetTotalCount(), 1)
		equal("description", before.Statuses[0].GetDescription(), "All passed")
		created := get(piers.Repositories.CreateStatus(ctx, owner, repo, commit, github.RepoStatus{
			State: github.Ptr("failure"), Context: github.Ptr("go/vet"), Description: github.Ptr("Shadowed"), TargetURL: github.Ptr("https://ci.example.com/2"),
		}))
		equal("creator", created.GetCreator().GetLogin(), "piers")
		equal("context", created.GetContext(), "go/vet")
		equal("URL", created.GetTargetURL(), "https://ci.example.com/2")
		recent("created", created.GetCreatedAt())
		statuses := all(func(page github.ListOptions) ([]*github.RepoStatus, *github.Response, error) {
			return piers.Repositories.ListStatuses(ctx, owner, repo, commit, &page)
		})
		equal("newest", statuses[0].GetID(), created.GetID())
		equal("states", sorted(statuses, (*github.RepoStatus).GetState), []string{"failure", "pending", "success"})
		after := get(piers.Repositories.GetCombinedStatus(ctx, owner, repo, commit, nil))
		equal("combined after", after.GetState(), "failure")
		equal("contexts", sorted(after.Statuses, (*github.RepoStatus).GetContext), []string{"go/vet", "tests"})
		_, response, err := piers.Repositories.CreateStatus(ctx, owner, repo, commit, github.RepoStatus{State: github.Ptr("lost")})
		status(422, response, err)
	}},
	{"checkRuns", func() {
		commit := fixture("COMMIT")
		body := github.CreateCheckRunOptions{
			Name: "tides", HeadSHA: commit, Status: github.Ptr("in_progress"), ExternalID: github.Ptr("go-1"),
			DetailsURL: github.Ptr("https://buoy.example.com/go"), StartedAt: &github.Timestamp{Time: time.Now()},
		}
		run := get(buoy.Checks.CreateCheckRun(ctx, owner, repo, body))
		equal("status", run.GetStatus(), "in_progress")
		equal("no conclusion", run.Conclusion, nil)
		equal("app", run.GetApp().GetSlug(), "buoy")
		equal("commit", run.GetHeadSHA(), commit)
		recent("started", run.GetStartedAt())
		remark := &github.CheckRunAnnotation{
			Path: github.Ptr("README.md"), StartLine: github.Ptr(1), EndLine: github.Ptr(1), StartColumn: github.Ptr(3), EndColumn: github.Ptr(7),
			AnnotationLevel: github.Ptr("warning"), Title: github.Ptr("Low"), Message: github.Ptr("Low tide"),
		}
		finished := get(buoy.Checks.UpdateCheckRun(ctx, owner, repo, run.GetID(), github.UpdateCheckRunOptions{
			Name: "tides", Conclusion: github.Ptr("neutral"),
			Output: &github.CheckRunOutput{
				Title: github.Ptr("Tides"), Summary: github.Ptr("Neither *high* nor low"), Text: github.Ptr("At noon"),
				Annotations: []*github.CheckRunAnnotation{remark},
			},
		}))
		equal("completed", finished.GetStatus(), "completed")
		recent("completed at", finished.GetCompletedAt())
		read := get(olive.Checks.GetCheckRun(ctx, owner, repo, run.GetID()))
		equal("conclusion", read.GetConclusion(), "neutral")
		equal("external id", read.GetExternalID(), "go-1")
		equal("summary", read.GetOutput().GetSummary(), "Neither *high* nor low")
		equal("annotations", read.GetOutput().GetAnnotationsCount(), 1)
		equal("annotation", get(olive.Checks.ListCheckRunAnnotations(ctx, owner, repo, run.GetID(), nil)), []*github.CheckRunAnnotation{remark})

		completed := &github.ListCheckRunsOptions{Status: github.Ptr("completed"), AppID: github.Ptr(int64(9))}
		equal("completed ones", runNames(get(olive.Checks.ListCheckRunsForRef(ctx, owner, repo, "main", completed))), []string{"spelling", "tides"})
		named := get(olive.Checks.ListCheckRunsForRef(ctx, owner, repo, commit, &github.ListCheckRunsOptions{CheckName: github.Ptr("links")}))
		equal("queued", named.CheckRuns[0].GetStatus(), "queued")
		suite := get(olive.Checks.ListCheckRunsCheckSuite(ctx, owner, repo, run.GetCheckSuite().GetID(), nil))
		equal("of the suite", runNames(suite), []string{"links", "spelling", "tides"})
		equal("total", suite.GetTotal(), 3)
		rerequested, err := olive.Checks.ReRequestCheckRun(ctx, owner, repo, run.GetID())
		equal("error", err, nil)
		equal("status", rerequested.StatusCode, 201)
		_, response, err := olive.Checks.CreateCheckRun(ctx, owner, repo, body)
		status(403, response, err)
	}},
	{"checkSuites", func() {
		commit := fixture("CLASH")
		created := get(buoy.Checks.CreateCheckSuite(ctx, owner, repo, github.CreateCheckSuiteOptions{HeadSHA: commit}))
		equal("status", created.GetStatus(), "queued")
		equal("no conclusion", created.Conclusion, nil)
		equal("branch", created.GetHeadBranch(), "clash")
		equal("app", created.GetApp().GetID(), int64(9))
		get(buoy.Checks.CreateCheckRun(ctx, owner, repo, github.CreateCheckRunOptions{Name: "depth", HeadSHA: commit, Conclusion: github.Ptr("success")}))
		read := get(olive.Checks.GetCheckSuite(ctx, owner, repo, created.GetID()))
		equal("conclusion", read.GetConclusion(), "success")
		equal("runs", read.GetLatestCheckRunsCount(), int64(1))
		equal("repository", read.GetRepository().GetFullName(), "harbor/hello")
		equal("message", strings.TrimSpace(read.GetHeadCommit().GetMessage()), "Write another manual")
		options := &github.ListCheckSuiteOptions{AppID: github.Ptr(int64(9)), CheckName: github.Ptr("depth")}
		listed := get(olive.Checks.ListCheckSuitesForRef(ctx, owner, repo, "clash", options))
		equal("total", listed.GetTotal(), 1)
		equal("id", listed.CheckSuites[0].GetID(), created.GetID())
		rerequested, err := olive.Checks.ReRequestCheckSuite(ctx, owner, repo, created.GetID())
		equal("error", err, nil)
		equal("status", rerequested.StatusCode, 201)
		equal("queued", get(olive.Checks.GetCheckSuite(ctx, owner, repo, created.GetID())).GetStatus(), "queued")
		trigger := []*github.AutoTriggerCheck{{AppID: github.Ptr(int64(9)), Setting: github.Ptr(false)}}
		set := get(olive.Checks.SetCheckSuitePreferences(ctx, owner, repo, github.CheckSuitePreferenceOptions{AutoTriggerChecks: trigger}))
		equal("preferences", set.GetPreferences().AutoTriggerChecks, trigger)
		equal("repository of the preferences", set.GetRepository().GetFullName(), "harbor/hello")
	}},
}

func pullNumbers(pulls []*github.PullRequest) []int {
	numbers := make([]int, 0, len(pulls))
	for _, pull := range pulls {
		numbers = append(numbers, pull.GetNumber())
	}
	return numbers
}

func runNames(list *github.ListCheckRunsResults) []string {
	return sorted(list.CheckRuns, (*github.CheckRun).GetName)
}

// Reads a pull request until it is known whether it can be merged.
func tested(owner, repo string, number int) *github.PullRequest {
	var pull *github.PullRequest
	eventually("test of the merge", func() bool {
		pull = get(rosa.PullRequests.Get(ctx, owner, repo, number))
		return pull.Mergeable != nil
	})
	return pull
}

// Creates a branch of yard/hulls with a new file, and returns the id of its commit.
func branch(name string) string {
	tip := get(rosa.Git.GetRef(ctx, yard, hulls, "heads/main")).GetObject().GetSHA()
	get(rosa.Git.CreateRef(ctx, yard, hulls, github.CreateRef{Ref: "refs/heads/" + name, SHA: tip}))
	message := "Add " + name
	options := &github.RepositoryContentFileOptions{Message: &message, Content: []byte("oak\n"), Branch: &name}
	return get(rosa.Repositories.CreateFile(ctx, yard, hulls, name+".md", options)).Commit.GetSHA()
}

// Creates a pull request of a branch of yard/hulls, and returns its number.
func propose(name string) int {
	body := github.CreatePullRequest{Title: github.Ptr("Add " + name), Head: name, Base: "main"}
	return get(rosa.PullRequests.Create(ctx, yard, hulls, body)).GetNumber()
}
