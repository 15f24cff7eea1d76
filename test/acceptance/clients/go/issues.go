package main

import (
	"slices"
	"time"

	"github.com/google/go-github/v92/github"
)

// A second account, because the forge limits the writes of an account in a minute.
var piers = as("piers")

// Issues and everything that belongs to them. The fixture's issue 1 has the sub-issues 3, 2 and 8, with the ids 2, 3 and 5.
var issues = []group{
	{"issues", func() {
		issue := newIssue("Go ashore")
		equal("body", issue.GetBody(), "By **go-github**")
		equal("state", issue.GetState(), "open")
		equal("author", issue.GetUser().GetLogin(), "olive")
		equal("labels", sorted(issue.Labels, (*github.Label).GetName), []string{"bug", "question"})
		equal("assignees", sorted(issue.Assignees, (*github.User).GetLogin), []string{"piers"})
		equal("milestone", issue.GetMilestone().GetTitle(), "Before winter")
		equal("type", issue.GetType().GetName(), "Task")
		recent("created", issue.GetCreatedAt())
		recent("updated", issue.GetUpdatedAt())
		equal("closed", issue.ClosedAt, nil)
		number := issue.GetNumber()
		closing := github.UpdateIssueRequest{State: github.Ptr("closed"), StateReason: github.Ptr("not_planned")}
		equal("state", get(olive.Issues.Update(ctx, owner, repo, number, closing)).GetState(), "closed")
		closed := get(olive.Issues.Get(ctx, owner, repo, number))
		equal("title", closed.GetTitle(), "Go ashore")
		equal("reason", closed.GetStateReason(), "not_planned")
		equal("closed by", closed.GetClosedBy().GetLogin(), "olive")
		recent("closed", closed.GetClosedAt())
		equal("no milestone", get(olive.Issues.RemoveMilestone(ctx, owner, repo, number)).Milestone, nil)

		done(olive.Issues.Lock(ctx, owner, repo, number, &github.LockIssueOptions{LockReason: "resolved"}))
		locked := get(olive.Issues.Get(ctx, owner, repo, number))
		equal("locked", locked.GetLocked(), true)
		equal("reason of the lock", locked.GetActiveLockReason(), "resolved")
		done(olive.Issues.Unlock(ctx, owner, repo, number))
		equal("unlocked", get(olive.Issues.Get(ctx, owner, repo, number)).GetLocked(), false)

		ofRepository := all(func(page github.ListOptions) ([]*github.Issue, *github.Response, error) {
			options := &github.IssueListByRepoOptions{State: "all", Sort: "created", Direction: "desc", ListOptions: page}
			return olive.Issues.ListByRepo(ctx, owner, repo, options)
		})
		equal("first", ofRepository[0].GetNumber(), number)
		equal("last", ofRepository[len(ofRepository)-1].GetTitle(), "No ship answers")
		labeled := &github.IssueListByRepoOptions{Labels: []string{"bug", "question"}, Milestone: "1", Creator: "piers"}
		equal("with labels", numbers(get(olive.Issues.ListByRepo(ctx, owner, repo, labeled))), []int{1})
		ofOrganization := get(olive.Issues.ListByOrg(ctx, owner, &github.IssueListByOrgOptions{Filter: "assigned"}))
		equal("of the organization", numbers(ofOrganization), []int{1})
		equal("repository", ofOrganization[0].GetRepository().GetFullName(), "harbor/hello")
		involving := get(olive.Issues.ListAllIssues(ctx, &github.ListAllIssuesOptions{Filter: "created", State: "closed", Sort: "created"}))
		equal("involving", numbers(involving), []int{number, 3})
		equal("own", numbers(get(olive.Issues.ListUserIssues(ctx, nil))), []int{})

		_, response, err := olive.Issues.Get(ctx, owner, repo, 999)
		status(404, response, err)
		_, response, err = olive.Issues.Get(ctx, owner, repo, 7)
		status(410, response, err)
		_, response, err = olive.Issues.Create(ctx, owner, repo, github.CreateIssueRequest{})
		status(422, response, err)
	}},
	{"issues: search", func() {
		options := &github.SearchOptions{Sort: "created", Order: "asc", TextMatch: true}
		found := get(olive.Search.Issues(ctx, "greet repo:harbor/hello is:open", options))
		equal("numbers", numbers(found.Issues), []int{2, 5})
		equal("total", found.GetTotal(), 2)
		equal("complete", found.GetIncompleteResults(), false)
		equal("author", found.Issues[1].GetUser().GetLogin(), "piers")
		equal("fragment", found.Issues[1].TextMatches[0].GetFragment(), "Greet in Dutch")
	}},
	{"issueComments", func() {
		number := newIssue("Comments of go-github").GetNumber()
		body := func(text string) github.IssueCommentRequest { return github.IssueCommentRequest{Body: text} }
		first := get(olive.Issues.CreateComment(ctx, owner, repo, number, body("First")))
		second := get(olive.Issues.CreateComment(ctx, owner, repo, number, body("Second")))
		equal("author", first.GetUser().GetLogin(), "olive")
		equal("association", first.GetAuthorAssociation(), "MEMBER")
		recent("created", first.GetCreatedAt())
		get(olive.Issues.UpdateComment(ctx, owner, repo, first.GetID(), body("Third")))
		equal("updated", get(olive.Issues.GetComment(ctx, owner, repo, first.GetID())).GetBody(), "Third")
		comments := all(func(page github.ListOptions) ([]*github.IssueComment, *github.Response, error) {
			return olive.Issues.ListComments(ctx, owner, repo, number, &github.IssueListCommentsOptions{ListOptions: page})
		})
		equal("bodies", sorted(comments, (*github.IssueComment).GetBody), []string{"Second", "Third"})
		done(olive.Issues.DeleteComment(ctx, owner, repo, second.GetID()))
		_, response, err := olive.Issues.GetComment(ctx, owner, repo, second.GetID())
		status(404, response, err)
		// The number 0 stands for all issues.
		latest := &github.IssueListCommentsOptions{Sort: github.Ptr("created"), Direction: github.Ptr("desc")}
		equal("of all issues", get(olive.Issues.ListComments(ctx, owner, repo, 0, latest))[0].GetID(), first.GetID())
		equal("count", get(olive.Issues.Get(ctx, owner, repo, number)).GetComments(), 1)
	}},
	{"issueEvents", func() {
		number := newIssue("Events of go-github").GetNumber()
		get(olive.Issues.Update(ctx, owner, repo, number, github.UpdateIssueRequest{Title: github.Ptr("Renamed by go-github")}))
		get(olive.Issues.CreateComment(ctx, owner, repo, number, github.IssueCommentRequest{Body: "Commented"}))
		events := all(func(page github.ListOptions) ([]*github.IssueEvent, *github.Response, error) {
			return olive.Issues.ListIssueEvents(ctx, owner, repo, number, &page)
		})
		renamed := events[len(events)-1]
		equal("event", renamed.GetEvent(), "renamed")
		equal("from", renamed.GetRename().GetFrom(), "Events of go-github")
		equal("actor", renamed.GetActor().GetLogin(), "olive")
		recent("created", renamed.GetCreatedAt())
		equal("label", events[0].GetLabel().GetName() != "" || events[0].GetAssignee().GetLogin() != "" || events[0].GetMilestone().GetTitle() != "", true)
		one := get(olive.Issues.GetEvent(ctx, owner, repo, renamed.GetID()))
		equal("issue", one.GetIssue().GetNumber(), number)
		equal("latest", get(olive.Issues.ListRepositoryEvents(ctx, owner, repo, nil))[0].GetID(), renamed.GetID())
		timeline := get(olive.Issues.ListIssueTimeline(ctx, owner, repo, number, nil))
		commented := timeline[slices.IndexFunc(timeline, func(one *github.Timeline) bool { return one.GetEvent() == "commented" })]
		equal("body", commented.GetBody(), "Commented")
		equal("user", commented.GetUser().GetLogin(), "olive")
		equal("items", len(timeline), len(events)+1)
	}},
	{"assignees", func() {
		number := newIssue("Assignees of go-github").GetNumber()
		assignees := all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
			return olive.Issues.ListAssignees(ctx, owner, repo, &page)
		})
		equal("logins", logins(assignees), []string{"finn", "greta", "hugo", "olive", "piers"})
		equal("member", get(olive.Issues.IsAssignee(ctx, owner, repo, "piers")), true)
		equal("no member", get(olive.Issues.IsAssignee(ctx, owner, repo, "nell")), false)
		added := get(olive.Issues.AddAssignees(ctx, owner, repo, number, []string{"olive"}))
		equal("added", sorted(added.Assignees, (*github.User).GetLogin), []string{"olive", "piers"})
		removed := get(olive.Issues.RemoveAssignees(ctx, owner, repo, number, []string{"piers"}))
		equal("removed", removed.GetAssignee().GetLogin(), "olive")
	}},
	{"labels", func() {
		number := newIssue("Labels of go-github").GetNumber()
		label := get(piers.Issues.CreateLabel(ctx, owner, repo, github.CreateIssueLabelRequest{Name: "go/größe", Color: github.Ptr("00add8"), Description: github.Ptr("Big")}))
		equal("color", label.GetColor(), "00add8")
		change := github.UpdateIssueLabelRequest{NewName: github.Ptr("gö"), Description: github.Ptr("Small")}
		equal("name", get(piers.Issues.UpdateLabel(ctx, owner, repo, "go%2Fgr%C3%B6%C3%9Fe", change)).GetName(), "gö")
		read := get(piers.Issues.GetLabel(ctx, owner, repo, "gö"))
		equal("description", read.GetDescription(), "Small")
		equal("default", read.GetDefault(), false)
		labels := all(func(page github.ListOptions) ([]*github.Label, *github.Response, error) {
			return piers.Issues.ListLabels(ctx, owner, repo, &page)
		})
		equal("count", len(labels), 10)
		names := func(labels []*github.Label) []string { return sorted(labels, (*github.Label).GetName) }
		equal("added", names(get(piers.Issues.AddLabelsToIssue(ctx, owner, repo, number, []string{"gö"}))), []string{"bug", "gö", "question"})
		done(piers.Issues.RemoveLabelForIssue(ctx, owner, repo, number, "gö"))
		equal("of the milestone", names(get(piers.Issues.ListLabelsForMilestone(ctx, owner, repo, 1, nil))), []string{"bug", "question"})
		equal("replaced", names(get(piers.Issues.ReplaceLabelsForIssue(ctx, owner, repo, number, []string{"gö"}))), []string{"gö"})
		equal("of the issue", names(get(piers.Issues.ListLabelsByIssue(ctx, owner, repo, number, nil))), []string{"gö"})
		done(piers.Issues.RemoveLabelsForIssue(ctx, owner, repo, number))
		equal("without", len(get(piers.Issues.Get(ctx, owner, repo, number)).Labels), 0)
		done(piers.Issues.DeleteLabel(ctx, owner, repo, "gö"))
		_, response, err := piers.Issues.GetLabel(ctx, owner, repo, "gö")
		status(404, response, err)
	}},
	{"milestones", func() {
		due := github.Timestamp{Time: time.Date(2030, 3, 4, 8, 0, 0, 0, time.UTC)}
		body := github.CreateMilestoneRequest{Title: "By go-github", Description: github.Ptr("Soon"), DueOn: &due}
		milestone := get(olive.Issues.CreateMilestone(ctx, owner, repo, body))
		equal("creator", milestone.GetCreator().GetLogin(), "olive")
		equal("due", milestone.GetDueOn().Equal(due), true)
		recent("created", milestone.GetCreatedAt())
		closing := github.UpdateMilestoneRequest{State: github.Ptr("closed")}
		closed := get(olive.Issues.UpdateMilestone(ctx, owner, repo, milestone.GetNumber(), closing))
		recent("closed", closed.GetClosedAt())
		equal("description", get(olive.Issues.GetMilestone(ctx, owner, repo, milestone.GetNumber())).GetDescription(), "Soon")
		milestones := all(func(page github.ListOptions) ([]*github.Milestone, *github.Response, error) {
			return olive.Issues.ListMilestones(ctx, owner, repo, &github.MilestoneListOptions{State: "closed", ListOptions: page})
		})
		equal("closed ones", sorted(milestones, (*github.Milestone).GetTitle), []string{"By go-github", "To be deleted"})
		done(olive.Issues.DeleteMilestone(ctx, owner, repo, milestone.GetNumber()))
		_, response, err := olive.Issues.GetMilestone(ctx, owner, repo, milestone.GetNumber())
		status(404, response, err)
	}},
	{"subIssues", func() {
		children := func() []int64 {
			list := all(func(page github.ListOptions) ([]*github.SubIssue, *github.Response, error) {
				return olive.SubIssue.ListByIssue(ctx, owner, repo, 1, &page)
			})
			ids := make([]int64, 0, len(list))
			for _, one := range list {
				ids = append(ids, *one.ID)
			}
			return ids
		}
		equal("children", children(), []int64{2, 3, 5})
		equal("parent", get(olive.SubIssue.GetParentIssue(ctx, owner, repo, 2)).GetTitle(), "No ship answers")
		parent := get(olive.SubIssue.Add(ctx, owner, repo, 1, github.SubIssueRequest{SubIssueID: 4}))
		equal("parent of the added one", *parent.Number, 1)
		get(olive.SubIssue.Reprioritize(ctx, owner, repo, 1, github.SubIssueRequest{SubIssueID: 4, BeforeID: github.Ptr(int64(3))}))
		equal("order", children(), []int64{2, 4, 3, 5})
		summary := get(olive.Issues.Get(ctx, owner, repo, 1)).GetSubIssuesSummary()
		equal("total", summary.GetTotal(), 4)
		equal("completed", summary.GetCompleted(), 1)
		get(olive.SubIssue.Remove(ctx, owner, repo, 1, github.SubIssueRequest{SubIssueID: 4}))
		_, response, err := olive.SubIssue.GetParentIssue(ctx, owner, repo, 5)
		status(404, response, err)
	}},
	{"issueDependencies", func() {
		equal("blocked by", numbers(get(olive.Issues.ListBlockedBy(ctx, owner, repo, 2, nil))), []int{3})
		equal("blocking", numbers(get(olive.Issues.ListBlocking(ctx, owner, repo, 3, nil))), []int{2})
		added := get(olive.Issues.AddBlockedBy(ctx, owner, repo, 2, github.IssueDependencyRequest{IssueID: 4}))
		equal("blocked", added.GetTitle(), "Greet louder")
		summary := get(olive.Issues.Get(ctx, owner, repo, 2)).GetIssueDependenciesSummary()
		equal("summary", summary.GetTotalBlockedBy(), 2)
		equal("unblocked", get(olive.Issues.RemoveBlockedBy(ctx, owner, repo, 2, 4)).GetNumber(), 2)
		equal("left", numbers(get(olive.Issues.ListBlockedBy(ctx, owner, repo, 2, nil))), []int{3})
	}},
	{"issueTypes", func() {
		idea := github.CreateOrUpdateIssueTypesOptions{Name: "Idea of go-github", IsEnabled: true, Color: github.Ptr("green")}
		created := get(olive.Organizations.CreateIssueType(ctx, owner, &idea))
		equal("color", created.GetColor(), "green")
		recent("created", created.GetCreatedAt())
		idea.Description = github.Ptr("To think about")
		updated := get(olive.Organizations.UpdateIssueType(ctx, owner, created.GetID(), &idea))
		equal("description", updated.GetDescription(), "To think about")
		types := sorted(get(olive.Organizations.ListIssueTypes(ctx, owner)), (*github.IssueType).GetName)
		equal("types", types, []string{"Idea of go-github", "Task", "To be deleted"})
		done(olive.Organizations.DeleteIssueType(ctx, owner, created.GetID()))
	}},
	{"reactions", func() {
		number := newIssue("Reactions of go-github").GetNumber()
		react := func(name string, create func(string) (*github.Reaction, *github.Response, error), list func(*github.ListReactionOptions) ([]*github.Reaction, *github.Response, error), remove func(int64) (*github.Response, error)) {
			reaction := get(create("rocket"))
			equal(name+": content", reaction.GetContent(), "rocket")
			equal(name+": user", reaction.GetUser().GetLogin(), "piers")
			recent(name+": created", reaction.GetCreatedAt())
			found := get(list(&github.ListReactionOptions{Content: "rocket"}))
			equal(name+": ids", found[0].GetID(), reaction.GetID())
			done(remove(reaction.GetID()))
			equal(name+": left", len(get(list(&github.ListReactionOptions{Content: "rocket"}))), 0)
		}
		react("issue", func(content string) (*github.Reaction, *github.Response, error) {
			return piers.Reactions.CreateIssueReaction(ctx, owner, repo, number, content)
		}, func(options *github.ListReactionOptions) ([]*github.Reaction, *github.Response, error) {
			return piers.Reactions.ListIssueReactions(ctx, owner, repo, number, options)
		}, func(id int64) (*github.Response, error) {
			return piers.Reactions.DeleteIssueReaction(ctx, owner, repo, number, id)
		})
		react("comment", func(content string) (*github.Reaction, *github.Response, error) {
			return piers.Reactions.CreateIssueCommentReaction(ctx, owner, repo, 1, content)
		}, func(options *github.ListReactionOptions) ([]*github.Reaction, *github.Response, error) {
			return piers.Reactions.ListIssueCommentReactions(ctx, owner, repo, 1, options)
		}, func(id int64) (*github.Response, error) {
			return piers.Reactions.DeleteIssueCommentReaction(ctx, owner, repo, 1, id)
		})
		react("commit comment", func(content string) (*github.Reaction, *github.Response, error) {
			return piers.Reactions.CreateCommentReaction(ctx, owner, repo, 11, content)
		}, func(options *github.ListReactionOptions) ([]*github.Reaction, *github.Response, error) {
			return piers.Reactions.ListCommentReactions(ctx, owner, repo, 11, options)
		}, func(id int64) (*github.Response, error) {
			return piers.Reactions.DeleteCommentReaction(ctx, owner, repo, 11, id)
		})
		react("review comment", func(content string) (*github.Reaction, *github.Response, error) {
			return piers.Reactions.CreatePullRequestCommentReaction(ctx, owner, repo, 21, content)
		}, func(options *github.ListReactionOptions) ([]*github.Reaction, *github.Response, error) {
			return piers.Reactions.ListPullRequestCommentReactions(ctx, owner, repo, 21, options)
		}, func(id int64) (*github.Response, error) {
			return piers.Reactions.DeletePullRequestCommentReaction(ctx, owner, repo, 21, id)
		})
		equal("summary", get(olive.Issues.Get(ctx, owner, repo, 1)).GetReactions().GetPlusOne(), 1)
	}},
}

// Creates an issue with all members that go-github can send.
func newIssue(title string) *github.Issue {
	return get(olive.Issues.Create(ctx, owner, repo, github.CreateIssueRequest{
		Title: title, Body: github.Ptr("By **go-github**"), Labels: []string{"bug", "question"},
		Assignees: []string{"piers"}, Milestone: github.Ptr(1), Type: github.Ptr("Task"),
	}))
}

func numbers(issues []*github.Issue) []int {
	numbers := make([]int, 0, len(issues))
	for _, issue := range issues {
		numbers = append(numbers, issue.GetNumber())
	}
	return numbers
}

// Expects a time of this test.
func recent(name string, at github.Timestamp) {
	if age := time.Since(at.Time); age > 10*time.Minute || age < -time.Minute {
		panic(name + ": " + at.String())
	}
}
