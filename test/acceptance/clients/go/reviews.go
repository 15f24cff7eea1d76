package main

import (
	"strings"

	"github.com/google/go-github/v92/github"
)

// An owner of the organization `yard`, and a member who reviews.
var (
	ines = as("ines")
	otto = as("otto")
)

const sloops = "sloops"

// Creates a branch of yard/sloops with a file of one line.
func sloopBranch(name string) {
	tip := get(ines.Git.GetRef(ctx, yard, sloops, "heads/main")).GetObject().GetSHA()
	get(ines.Git.CreateRef(ctx, yard, sloops, github.CreateRef{Ref: "refs/heads/" + name, SHA: tip}))
	options := &github.RepositoryContentFileOptions{Message: github.Ptr("Add " + name), Content: []byte("oak\n"), Branch: &name}
	get(ines.Repositories.CreateFile(ctx, yard, sloops, name+".md", options))
}

// Creates a pull request with a file of one line.
func proposeSloop(name string) *github.PullRequest {
	sloopBranch(name)
	body := github.CreatePullRequest{Title: github.Ptr("Add " + name), Head: name, Base: "main"}
	return get(ines.PullRequests.Create(ctx, yard, sloops, body))
}

// Reviews, branch protection and rulesets.
var reviews = []group{
	{"organizationMemberships: owner", func() {
		get(olive.Organizations.EditOrgMembership(ctx, "mara", owner, &github.Membership{Role: github.Ptr("admin")}))
		accepted := get(mara.Organizations.EditOrgMembership(ctx, "", owner, &github.Membership{State: github.Ptr("active")}))
		equal("role", accepted.GetRole(), "admin")
	}},
	{"reviews", func() {
		get(ines.Repositories.Create(ctx, yard, &github.Repository{Name: github.Ptr(sloops), AutoInit: github.Ptr(true)}))
		keelson := proposeSloop("keelson")
		number := keelson.GetNumber()
		remark := &github.DraftReviewComment{Path: github.Ptr("keelson.md"), Line: github.Ptr(1), Side: github.Ptr("RIGHT"), Body: github.Ptr("Of _ash_?")}
		body := &github.PullRequestReviewRequest{Body: github.Ptr("Not yet"), Event: github.Ptr("REQUEST_CHANGES"), Comments: []*github.DraftReviewComment{remark}}
		made := get(otto.PullRequests.CreateReview(ctx, yard, sloops, number, body))
		equal("review", []string{made.GetState(), made.GetBody(), made.GetUser().GetLogin()}, []string{"CHANGES_REQUESTED", "Not yet", "otto"})
		equal("commit", made.GetCommitID(), keelson.GetHead().GetSHA())
		equal("association", made.GetAuthorAssociation(), "MEMBER")
		recent("submitted", made.GetSubmittedAt())
		comments := get(ines.PullRequests.ListReviewComments(ctx, yard, sloops, number, made.GetID(), nil))
		equal("comment", []string{comments[0].GetBody(), comments[0].GetPath()}, []string{"Of _ash_?", "keelson.md"})
		equal("review of the comment", comments[0].GetPullRequestReviewID(), made.GetID())
		get(otto.PullRequests.UpdateReview(ctx, yard, sloops, number, made.GetID(), "Not at all"))
		equal("edited", get(ines.PullRequests.GetReview(ctx, yard, sloops, number, made.GetID())).GetBody(), "Not at all")
		dismissed := get(ines.PullRequests.DismissReview(ctx, yard, sloops, number, made.GetID(), github.PullRequestDismissReviewRequest{Message: "It is oak"}))
		equal("dismissed", dismissed.GetState(), "DISMISSED")

		pending := get(otto.PullRequests.CreateReview(ctx, yard, sloops, number, &github.PullRequestReviewRequest{Body: github.Ptr("Perhaps")}))
		equal("pending", pending.GetState(), "PENDING")
		equal("not submitted", pending.SubmittedAt, nil)
		states := func() []string {
			return sorted(get(ines.PullRequests.ListReviews(ctx, yard, sloops, number, nil)), (*github.PullRequestReview).GetState)
		}
		equal("without the pending one", states(), []string{"DISMISSED"})
		get(otto.PullRequests.DeletePendingReview(ctx, yard, sloops, number, pending.GetID()))
		again := get(otto.PullRequests.CreateReview(ctx, yard, sloops, number, &github.PullRequestReviewRequest{Body: github.Ptr("It floats")}))
		submitted := get(otto.PullRequests.SubmitReview(ctx, yard, sloops, number, again.GetID(), github.PullRequestSubmitReviewRequest{Event: "APPROVE"}))
		equal("submitted", submitted.GetState(), "APPROVED")
		equal("states", states(), []string{"APPROVED", "DISMISSED"})
		_, response, err := ines.PullRequests.CreateReview(ctx, yard, sloops, number, &github.PullRequestReviewRequest{Event: github.Ptr("APPROVE")})
		status(422, response, err)
		_, response, err = ines.PullRequests.GetReview(ctx, yard, sloops, number, 1)
		status(404, response, err)

		ofFixture := all(func(page github.ListOptions) ([]*github.PullRequestReview, *github.Response, error) {
			return olive.PullRequests.ListReviews(ctx, owner, repo, 20, &page)
		})
		equal("first of the fixture", ofFixture[0].GetBody(), "Ohoj")
		equal("states of the fixture", sorted(ofFixture, (*github.PullRequestReview).GetState), []string{"APPROVED", "COMMENTED", "COMMENTED", "COMMENTED"})
	}},
	{"reviewComments: threads", func() {
		stern := proposeSloop("stern")
		number := stern.GetNumber()
		comment := func(body string) github.CreatePullRequestCommentRequest {
			return github.CreatePullRequestCommentRequest{Body: body, CommitID: stern.GetHead().GetSHA(), Path: "stern.md"}
		}
		line := comment("Plane it")
		line.Line, line.Side = github.Ptr(1), github.Ptr("RIGHT")
		made := get(ines.PullRequests.CreateComment(ctx, yard, sloops, number, line))
		equal("line", made.GetLine(), 1)
		equal("side", made.GetSide(), "RIGHT")
		equal("hunk", made.GetDiffHunk(), "@@ -0,0 +1 @@\n+oak")
		equal("commit", made.GetOriginalCommitID(), stern.GetHead().GetSHA())
		reply := get(ines.PullRequests.CreateCommentInReplyTo(ctx, yard, sloops, number, "It is planed", made.GetID()))
		equal("reply", reply.GetInReplyTo(), made.GetID())
		whole := comment("Too long")
		whole.SubjectType = github.Ptr("file")
		file := get(ines.PullRequests.CreateComment(ctx, yard, sloops, number, whole))
		equal("subject", file.GetSubjectType(), "file")
		bodies := func() []string {
			list := all(func(page github.ListOptions) ([]*github.PullRequestComment, *github.Response, error) {
				return ines.PullRequests.ListComments(ctx, yard, sloops, number, &github.PullRequestListCommentsOptions{ListOptions: page})
			})
			return sorted(list, (*github.PullRequestComment).GetBody)
		}
		equal("bodies", bodies(), []string{"It is planed", "Plane it", "Too long"})
		done(ines.PullRequests.DeleteComment(ctx, yard, sloops, file.GetID()))
		equal("left", bodies(), []string{"It is planed", "Plane it"})
		equal("count", get(ines.PullRequests.Get(ctx, yard, sloops, number)).GetReviewComments(), 2)
		line.Line = github.Ptr(9)
		_, response, err := ines.PullRequests.CreateComment(ctx, yard, sloops, number, line)
		status(422, response, err)
	}},
	{"reviewRequests", func() {
		number := proposeSloop("bow").GetNumber()
		requested := get(ines.PullRequests.RequestReviewers(ctx, yard, sloops, number, github.ReviewersRequest{Reviewers: []string{"otto"}}))
		equal("requested", logins(requested.RequestedReviewers), []string{"otto"})
		list := get(ines.PullRequests.ListReviewers(ctx, yard, sloops, number))
		equal("users", logins(list.Users), []string{"otto"})
		equal("teams", len(list.Teams), 0)
		_, response, err := ines.PullRequests.RequestReviewers(ctx, yard, sloops, number, github.ReviewersRequest{Reviewers: []string{"nobody"}})
		status(422, response, err)
		done(ines.PullRequests.RemoveReviewers(ctx, yard, sloops, number, github.ReviewersRequest{Reviewers: []string{"otto"}}))
		equal("none", len(get(ines.PullRequests.ListReviewers(ctx, yard, sloops, number)).Users), 0)
		late := get(olive.PullRequests.ListReviewers(ctx, owner, repo, 22))
		equal("users of the fixture", logins(late.Users), []string{"piers"})
		equal("teams of the fixture", slugs(late.Teams), []string{"crew"})
	}},
	{"branchProtections", func() {
		sloopBranch("helm")
		_, response, err := ines.Repositories.GetBranchProtection(ctx, yard, sloops, "helm")
		equal("unprotected", err, error(github.ErrBranchNotProtected))
		equal("status", response.StatusCode, 404)
		checks := []*github.RequiredStatusCheck{{Context: "carve"}, {Context: "paint", AppID: github.Ptr(int64(-1))}}
		made := get(ines.Repositories.UpdateBranchProtection(ctx, yard, sloops, "helm", &github.ProtectionRequest{
			RequiredStatusChecks:       &github.RequiredStatusChecks{Strict: true, Checks: &checks},
			RequiredPullRequestReviews: &github.PullRequestReviewsEnforcementRequest{DismissStaleReviews: true, RequiredApprovingReviewCount: 2},
			EnforceAdmins:              true,
			RequireLinearHistory:       github.Ptr(true),
			AllowForcePushes:           github.Ptr(true),
		}))
		equal("strict", made.GetRequiredStatusChecks().Strict, true)
		equal("contexts", *made.GetRequiredStatusChecks().Contexts, []string{"carve", "paint"})
		equal("settings", []bool{made.GetEnforceAdmins().Enabled, made.GetRequireLinearHistory().Enabled, made.GetAllowForcePushes().Enabled, made.GetAllowDeletions().Enabled}, []bool{true, true, true, false})
		equal("no restrictions", made.Restrictions, nil)
		read := get(ines.Repositories.GetBranchProtection(ctx, yard, sloops, "helm"))
		equal("reviews", read.GetRequiredPullRequestReviews().RequiredApprovingReviewCount, 2)
		equal("protected", get(ines.Repositories.GetBranch(ctx, yard, sloops, "helm", 1)).GetProtected(), true)
		tiller := &github.RepositoryContentFileOptions{Message: github.Ptr("Add a tiller"), Content: []byte("ash\n"), Branch: github.Ptr("helm")}
		_, response, err = ines.Repositories.CreateFile(ctx, yard, sloops, "tiller.md", tiller)
		status(422, response, err)

		equal("checks", *get(ines.Repositories.GetRequiredStatusChecks(ctx, yard, sloops, "helm")).Contexts, []string{"carve", "paint"})
		equal("list", get(ines.Repositories.ListRequiredStatusChecksContexts(ctx, yard, sloops, "helm")), []string{"carve", "paint"})
		changed := get(ines.Repositories.UpdateRequiredStatusChecks(ctx, yard, sloops, "helm", &github.RequiredStatusChecksRequest{Strict: github.Ptr(false), Contexts: []string{"sand"}}))
		equal("changed", *changed.Contexts, []string{"sand"})
		equal("not strict", changed.Strict, false)
		done(ines.Repositories.RemoveRequiredStatusChecks(ctx, yard, sloops, "helm"))
		_, response, err = ines.Repositories.GetRequiredStatusChecks(ctx, yard, sloops, "helm")
		status(404, response, err)

		equal("stale", get(ines.Repositories.GetPullRequestReviewEnforcement(ctx, yard, sloops, "helm")).DismissStaleReviews, true)
		one := &github.PullRequestReviewsEnforcementUpdate{RequiredApprovingReviewCount: 1, RequireLastPushApproval: github.Ptr(true)}
		edited := get(ines.Repositories.UpdatePullRequestReviewEnforcement(ctx, yard, sloops, "helm", one))
		equal("count", edited.RequiredApprovingReviewCount, 1)
		equal("last push", edited.RequireLastPushApproval, true)
		equal("no dismissal", get(ines.Repositories.DisableDismissalRestrictions(ctx, yard, sloops, "helm")).DismissalRestrictions, nil)
		done(ines.Repositories.RemovePullRequestReviewEnforcement(ctx, yard, sloops, "helm"))
		_, response, err = ines.Repositories.GetPullRequestReviewEnforcement(ctx, yard, sloops, "helm")
		status(404, response, err)

		done(ines.Repositories.RemoveAdminEnforcement(ctx, yard, sloops, "helm"))
		equal("admins", get(ines.Repositories.GetAdminEnforcement(ctx, yard, sloops, "helm")).Enabled, false)
		equal("admins again", get(ines.Repositories.AddAdminEnforcement(ctx, yard, sloops, "helm")).Enabled, true)
		equal("signatures", get(ines.Repositories.GetSignaturesProtectedBranch(ctx, yard, sloops, "helm")).GetEnabled(), false)
		equal("signatures now", get(ines.Repositories.RequireSignaturesOnProtectedBranch(ctx, yard, sloops, "helm")).GetEnabled(), true)
		done(ines.Repositories.OptionalSignaturesOnProtectedBranch(ctx, yard, sloops, "helm"))
		done(ines.Repositories.RemoveBranchProtection(ctx, yard, sloops, "helm"))
		equal("unprotected", get(ines.Repositories.GetBranch(ctx, yard, sloops, "helm", 1)).GetProtected(), false)
	}},
	{"branchRestrictions", func() {
		carvers := get(ines.Teams.CreateTeam(ctx, yard, github.CreateTeamRequest{Name: "Carvers", Privacy: github.Ptr("closed")}))
		done(ines.Teams.AddTeamRepoBySlug(ctx, yard, carvers.GetSlug(), yard, sloops, &github.TeamAddTeamRepoOptions{Permission: "push"}))
		get(ines.Repositories.AddCollaborator(ctx, yard, sloops, "otto", &github.RepositoryAddCollaboratorOptions{Permission: "push"}))
		restrictions := &github.BranchRestrictionsRequest{Users: []string{"otto"}, Teams: []string{"carvers"}, Apps: []string{}}
		made := get(ines.Repositories.UpdateBranchProtection(ctx, yard, sloops, "helm", &github.ProtectionRequest{Restrictions: restrictions}))
		equal("users", logins(made.GetRestrictions().Users), []string{"otto"})
		equal("teams", slugs(made.GetRestrictions().Teams), []string{"carvers"})
		equal("listed", logins(get(ines.Repositories.ListUserRestrictions(ctx, yard, sloops, "helm"))), []string{"otto"})
		equal("removed", len(get(ines.Repositories.RemoveUserRestrictions(ctx, yard, sloops, "helm", []string{"otto"}))), 0)
		equal("added", logins(get(ines.Repositories.AddUserRestrictions(ctx, yard, sloops, "helm", []string{"ines"}))), []string{"ines"})
		equal("replaced", logins(get(ines.Repositories.ReplaceUserRestrictions(ctx, yard, sloops, "helm", []string{"otto"}))), []string{"otto"})
		equal("listed teams", slugs(get(ines.Repositories.ListTeamRestrictions(ctx, yard, sloops, "helm"))), []string{"carvers"})
		equal("removed teams", len(get(ines.Repositories.RemoveTeamRestrictions(ctx, yard, sloops, "helm", []string{"carvers"}))), 0)
		equal("added teams", slugs(get(ines.Repositories.AddTeamRestrictions(ctx, yard, sloops, "helm", []string{"carvers"}))), []string{"carvers"})
		equal("replaced teams", slugs(get(ines.Repositories.ReplaceTeamRestrictions(ctx, yard, sloops, "helm", []string{"carvers"}))), []string{"carvers"})

		// The app of the fixture is installed in harbor/hello.
		apps := func(apps []*github.App) []string { return sorted(apps, (*github.App).GetSlug) }
		equal("apps", apps(get(mara.Repositories.ListAppRestrictions(ctx, owner, repo, "guarded"))), []string{"buoy"})
		equal("removed apps", len(get(mara.Repositories.RemoveAppRestrictions(ctx, owner, repo, "guarded", []string{"buoy"}))), 0)
		equal("added apps", apps(get(mara.Repositories.AddAppRestrictions(ctx, owner, repo, "guarded", []string{"buoy"}))), []string{"buoy"})
		equal("replaced apps", apps(get(mara.Repositories.ReplaceAppRestrictions(ctx, owner, repo, "guarded", []string{"buoy"}))), []string{"buoy"})
	}},
	{"codeOwners", func() {
		found := get(olive.Repositories.GetCodeownersErrors(ctx, owner, repo, nil)).Errors
		equal("count", len(found), 1)
		equal("place", []int{found[0].Line, found[0].Column}, []int{1, 10})
		equal("kind", found[0].Kind, "Unknown owner")
		equal("path", found[0].Path, "docs/CODEOWNERS")
		equal("source", strings.TrimSpace(found[0].Source), "* @olive @nobody")
	}},
	{"repositoryRulesets", func() {
		patterns := github.RepositoryRulesetRefConditionParameters{Include: []string{"refs/heads/keel*"}, Exclude: []string{}}
		body := github.RepositoryRuleset{
			Name: "Keels", Target: github.Ptr(github.RulesetTargetBranch), Enforcement: github.RulesetEnforcementActive,
			Conditions: &github.RepositoryRulesetConditions{RefName: &patterns},
			Rules: &github.RepositoryRulesetRules{
				Deletion:             &github.EmptyRuleParameters{},
				NonFastForward:       &github.EmptyRuleParameters{},
				CommitMessagePattern: &github.PatternRuleParameters{Operator: github.PatternRuleOperatorStartsWith, Pattern: "Add"},
			},
		}
		made := get(kai.Repositories.CreateRuleset(ctx, yard, sloops, body))
		equal("source", made.Source, "yard/sloops")
		equal("pattern", made.Rules.CommitMessagePattern.Pattern, "Add")
		listed := all(func(page github.ListOptions) ([]*github.RepositoryRuleset, *github.Response, error) {
			return kai.Repositories.GetAllRulesets(ctx, yard, sloops, &github.RepositoryListRulesetsOptions{ListOptions: page})
		})
		equal("names", sorted(listed, func(one *github.RepositoryRuleset) string { return one.Name }), []string{"Keels"})
		rules := get(kai.Repositories.ListRulesForBranch(ctx, yard, sloops, "keelson", nil))
		equal("deletion", rules.Deletion[0].RulesetID, made.GetID())
		equal("message", rules.CommitMessagePattern[0].Parameters.Pattern, "Add")
		equal("others", len(get(kai.Repositories.ListRulesForBranch(ctx, yard, sloops, "main", nil)).Deletion), 0)
		response, err := kai.Git.DeleteRef(ctx, yard, sloops, "heads/keelson")
		status(422, response, err)
		body.Name, body.Enforcement = "Keels, evaluated", github.RulesetEnforcementDisabled
		equal("updated", get(kai.Repositories.UpdateRuleset(ctx, yard, sloops, made.GetID(), body)).Name, "Keels, evaluated")
		read := get(kai.Repositories.GetRuleset(ctx, yard, sloops, made.GetID(), false))
		equal("enforcement", read.Enforcement, github.RulesetEnforcementDisabled)
		recent("created", read.GetCreatedAt())
		done(kai.Repositories.DeleteRuleset(ctx, yard, sloops, made.GetID()))
		_, response, err = kai.Repositories.GetRuleset(ctx, yard, sloops, made.GetID(), false)
		status(404, response, err)
	}},
	{"rulesets: changes", func() {
		patterns := github.RepositoryRulesetRefConditionParameters{Include: []string{"~ALL"}, Exclude: []string{}}
		names := github.RepositoryRulesetRepositoryNamesConditionParameters{Include: []string{sloops}, Exclude: []string{}}
		body := github.RepositoryRuleset{
			Name: "Sloops", Target: github.Ptr(github.RulesetTargetTag), Enforcement: github.RulesetEnforcementDisabled,
			Conditions: &github.RepositoryRulesetConditions{RefName: &patterns, RepositoryName: &names},
			Rules:      &github.RepositoryRulesetRules{Deletion: &github.EmptyRuleParameters{}},
		}
		made := get(kai.Organizations.CreateRepositoryRuleset(ctx, yard, body))
		body.Name = "All sloops"
		updated := get(kai.Organizations.UpdateRepositoryRuleset(ctx, yard, made.GetID(), body))
		equal("name", updated.Name, "All sloops")
		equal("enforcement", updated.Enforcement, github.RulesetEnforcementDisabled)
		done(kai.Organizations.DeleteRepositoryRuleset(ctx, yard, made.GetID()))
		_, response, err := kai.Organizations.GetRepositoryRuleset(ctx, yard, made.GetID())
		status(404, response, err)
	}},
}
