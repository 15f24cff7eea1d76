package main

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-github/v92/github"
)

// A new owner of the organization of the fixture.
var mara = as("mara")

func idsOf(list *github.WorkflowRuns) []int64 {
	ids := make([]int64, 0, len(list.WorkflowRuns))
	for _, run := range list.WorkflowRuns {
		ids = append(ids, run.GetID())
	}
	slices.Sort(ids)
	return ids
}

func jobNames(list *github.Jobs) []string { return sorted(list.Jobs, (*github.WorkflowJob).GetName) }

func secretNames(list *github.Secrets) []string {
	return sorted(list.Secrets, func(one *github.Secret) string { return one.Name })
}

func variableNames(list *github.ActionsVariables) []string {
	return sorted(list.Variables, func(one *github.ActionsVariable) string { return one.Name + "=" + one.Value })
}

func downloaded(address string) []byte {
	response, err := http.Get(address)
	equal("error", err, nil)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	equal("error", err, nil)
	return body
}

// A secret, sealed with the key of an owner.
func sealed(owner string) github.SecretRequest {
	return github.SecretRequest{KeyID: fixture(owner + "KEYID"), EncryptedValue: fixture(owner + "BOX")}
}

// Returns the ids of harbor/hello and harbor/empty.
func harborIDs() (int64, int64) {
	return get(mara.Repositories.Get(ctx, owner, repo)).GetID(), get(mara.Repositories.Get(ctx, owner, "empty")).GetID()
}

// Workflows, runs, secrets, variables, deployments and apps.
var actions = []group{
	{"workflows", func() {
		list := get(mara.Actions.ListWorkflows(ctx, owner, repo, nil))
		ci := list.Workflows[0]
		equal("workflow", []string{ci.GetName(), ci.GetPath(), ci.GetState()}, []string{"CI", ".github/workflows/ci.yml", "active"})
		equal("by name", get(mara.Actions.GetWorkflowByFileName(ctx, owner, repo, "ci.yml")).GetID(), ci.GetID())
		equal("by id", get(mara.Actions.GetWorkflowByID(ctx, owner, repo, ci.GetID())).GetName(), "CI")
		equal("usage", get(mara.Actions.GetWorkflowUsageByFileName(ctx, owner, repo, "ci.yml")) != nil, true)
		dispatch := github.CreateWorkflowDispatchEventRequest{Ref: "main", ReturnRunDetails: github.Ptr(true)}
		details := get(mara.Actions.CreateWorkflowDispatchEventByFileName(ctx, owner, repo, "ci.yml", dispatch))
		run := get(mara.Actions.GetWorkflowRunByID(ctx, owner, repo, details.GetWorkflowRunID()))
		equal("run", []string{run.GetEvent(), run.GetStatus(), run.GetActor().GetLogin()}, []string{"workflow_dispatch", "queued", "mara"})
		done(mara.Actions.DisableWorkflowByFileName(ctx, owner, repo, "ci.yml"))
		equal("disabled", get(mara.Actions.GetWorkflowByFileName(ctx, owner, repo, "ci.yml")).GetState(), "disabled_manually")
		_, response, err := mara.Actions.CreateWorkflowDispatchEventByFileName(ctx, owner, repo, "ci.yml", dispatch)
		status(422, response, err)
		done(mara.Actions.EnableWorkflowByID(ctx, owner, repo, ci.GetID()))
		equal("enabled", get(mara.Actions.GetWorkflowByFileName(ctx, owner, repo, "ci.yml")).GetState(), "active")
		payload := json.RawMessage(`{"height":3}`)
		get(mara.Repositories.Dispatch(ctx, owner, repo, github.DispatchRequestOptions{EventType: "tide", ClientPayload: &payload}))
	}},
	{"workflowRuns", func() {
		failed := &github.ListWorkflowRunsOptions{Status: "failure", Branch: "main"}
		equal("failed", idsOf(get(mara.Actions.ListRepositoryWorkflowRuns(ctx, owner, repo, failed))), []int64{7, 8, 9, 10})
		equal("of the workflow", idsOf(get(mara.Actions.ListWorkflowRunsByFileName(ctx, owner, repo, "ci.yml", failed))), []int64{7, 8, 9, 10})
		run := get(mara.Actions.GetWorkflowRunByID(ctx, owner, repo, 7))
		equal("run", []string{run.GetName(), run.GetConclusion(), run.GetHeadSHA(), run.GetHeadBranch(), run.GetActor().GetLogin()}, []string{"CI", "failure", fixture("COMMIT"), "main", "olive"})
		equal("attempt", get(mara.Actions.GetWorkflowRunAttempt(ctx, owner, repo, 7, 1, nil)).GetRunAttempt(), 1)
		equal("usage", get(mara.Actions.GetWorkflowRunUsageByID(ctx, owner, repo, 7)) != nil, true)
		done(mara.Actions.RerunWorkflowByID(ctx, owner, repo, 8))
		again := get(mara.Actions.GetWorkflowRunByID(ctx, owner, repo, 8))
		equal("status", again.GetStatus(), "queued")
		equal("attempts", again.GetRunAttempt(), 2)
		done(mara.Actions.RerunFailedJobsByID(ctx, owner, repo, 9))
		response, err := mara.Actions.CancelWorkflowRunByID(ctx, owner, repo, 11)
		accepted(nil, response, err)
		equal("cancelled", get(mara.Actions.GetWorkflowRunByID(ctx, owner, repo, 11)).GetStatus(), "completed")
		link := get(mara.Actions.GetWorkflowRunLogs(ctx, owner, repo, 7, 1))
		equal("logs", len(unzip(link.String()).File) > 0, true)
		link = get(mara.Actions.GetWorkflowRunAttemptLogs(ctx, owner, repo, 7, 1, 1))
		equal("logs of the attempt", len(unzip(link.String()).File) > 0, true)
		done(mara.Actions.DeleteWorkflowRunLogs(ctx, owner, repo, 15))
		_, response, err = mara.Actions.GetWorkflowRunLogs(ctx, owner, repo, 15, 1)
		equal("deleted logs", response.StatusCode >= 400, true)
		equal("error", err != nil, true)
		done(mara.Actions.DeleteWorkflowRun(ctx, owner, repo, 14))
		_, response, err = mara.Actions.GetWorkflowRunByID(ctx, owner, repo, 14)
		status(404, response, err)
	}},
	{"workflowJobs", func() {
		jobs := get(mara.Actions.ListWorkflowJobs(ctx, owner, repo, 7, nil))
		equal("jobs", jobNames(jobs), []string{"build", "test"})
		build := jobs.Jobs[0]
		equal("step", []string{build.Steps[0].GetName(), build.Steps[0].GetConclusion()}, []string{"greet", "success"})
		equal("labels", get(mara.Actions.GetWorkflowJobByID(ctx, owner, repo, build.GetID())).Labels, []string{"ubuntu-latest"})
		equal("of the attempt", jobNames(get(mara.Actions.ListWorkflowJobsAttempt(ctx, owner, repo, 7, 1, nil))), []string{"build", "test"})
		link := get(mara.Actions.GetWorkflowJobLogs(ctx, owner, repo, build.GetID(), 1))
		equal("log", strings.Contains(string(downloaded(link.String())), "Ahoy"), true)
		rerun := get(mara.Actions.ListWorkflowJobs(ctx, owner, repo, 10, nil)).Jobs[0]
		done(mara.Actions.RerunJobByID(ctx, owner, repo, rerun.GetID()))
		equal("attempts", get(mara.Actions.GetWorkflowRunByID(ctx, owner, repo, 10)).GetRunAttempt(), 2)
		every := &github.ListWorkflowJobsOptions{Filter: "all"}
		equal("of all attempts", jobNames(get(mara.Actions.ListWorkflowJobs(ctx, owner, repo, 10, every))), []string{"rerun-job", "rerun-job"})
	}},
	{"actionsCaches", func() {
		list := get(mara.Actions.ListCaches(ctx, owner, repo, &github.ActionsCacheListOptions{Key: github.Ptr("npm-"), Sort: github.Ptr("size_in_bytes")}))
		equal("keys", sorted(list.ActionsCaches, (*github.ActionsCache).GetKey), []string{"npm-1", "npm-2", "npm-3"})
		equal("largest", list.ActionsCaches[0].GetSizeInBytes(), int64(30))
		equal("count", get(mara.Actions.GetCacheUsageForRepo(ctx, owner, repo)).ActiveCachesCount, 3)
		equal("of the organization", get(mara.Actions.GetTotalCacheUsageForOrg(ctx, owner)).TotalActiveCachesUsageSizeInBytes, int64(60))
		done(mara.Actions.DeleteCachesByKey(ctx, owner, repo, "npm-1", nil))
		done(mara.Actions.DeleteCachesByID(ctx, owner, repo, list.ActionsCaches[0].GetID()))
		equal("left", get(mara.Actions.ListCaches(ctx, owner, repo, nil)).TotalCount, 1)
	}},
	{"repositorySecrets", func() {
		key := get(mara.Actions.GetRepoPublicKey(ctx, owner, repo))
		equal("key", key.GetKeyID(), fixture("REPOSITORYKEYID"))
		done(mara.Actions.CreateOrUpdateRepoSecret(ctx, owner, repo, "GO", sealed("REPOSITORY")))
		secret := get(mara.Actions.GetRepoSecret(ctx, owner, repo, "GO"))
		recent("created", secret.CreatedAt)
		equal("names", secretNames(get(mara.Actions.ListRepoSecrets(ctx, owner, repo, nil))), []string{"GO", "OLD", "TOKEN"})
		equal("of the organization", secretNames(get(mara.Actions.ListRepoOrgSecrets(ctx, owner, repo, nil))), []string{"EVERYWHERE", "OLD", "TOKEN"})
		done(mara.Actions.DeleteRepoSecret(ctx, owner, repo, "GO"))
		_, response, err := mara.Actions.GetRepoSecret(ctx, owner, repo, "GO")
		status(404, response, err)
	}},
	{"environmentSecrets", func() {
		equal("key", get(mara.Actions.GetEnvPublicKey(ctx, owner, repo, "production")).GetKeyID(), fixture("ENVIRONMENTKEYID"))
		done(mara.Actions.CreateOrUpdateEnvSecret(ctx, owner, repo, "production", "GO", sealed("ENVIRONMENT")))
		equal("name", get(mara.Actions.GetEnvSecret(ctx, owner, repo, "production", "GO")).Name, "GO")
		equal("names", secretNames(get(mara.Actions.ListEnvSecrets(ctx, owner, repo, "production", nil))), []string{"GO", "OLD", "TOKEN"})
		done(mara.Actions.DeleteEnvSecret(ctx, owner, repo, "production", "GO"))
		_, response, err := mara.Actions.GetEnvSecret(ctx, owner, repo, "production", "GO")
		status(404, response, err)
	}},
	{"organizationSecrets", func() {
		hello, empty := harborIDs()
		equal("key", get(mara.Actions.GetOrgPublicKey(ctx, owner)).GetKeyID(), fixture("ORGANIZATIONKEYID"))
		box := sealed("ORGANIZATION")
		body := github.SecretOrgRequest{KeyID: box.KeyID, EncryptedValue: box.EncryptedValue, Visibility: "selected", SelectedRepositoryIDs: []int64{hello}}
		done(mara.Actions.CreateOrUpdateOrgSecret(ctx, owner, "GO", body))
		equal("visibility", get(mara.Actions.GetOrgSecret(ctx, owner, "GO")).Visibility, "selected")
		equal("names", secretNames(get(mara.Actions.ListOrgSecrets(ctx, owner, nil))), []string{"EVERYWHERE", "GO", "OLD", "TOKEN"})
		selected := func() []string {
			return fullNames(get(mara.Actions.ListSelectedReposForOrgSecret(ctx, owner, "GO", nil)).Repositories)
		}
		done(mara.Actions.AddSelectedRepoToOrgSecret(ctx, owner, "GO", empty))
		equal("added", selected(), []string{"harbor/empty", "harbor/hello"})
		done(mara.Actions.RemoveSelectedRepoFromOrgSecret(ctx, owner, "GO", hello))
		equal("removed", selected(), []string{"harbor/empty"})
		done(mara.Actions.SetSelectedReposForOrgSecret(ctx, owner, "GO", []int64{hello}))
		equal("set", selected(), []string{"harbor/hello"})
		done(mara.Actions.DeleteOrgSecret(ctx, owner, "GO"))
		_, response, err := mara.Actions.GetOrgSecret(ctx, owner, "GO")
		status(404, response, err)
	}},
	{"repositoryVariables", func() {
		body := github.ActionsCreateVariableRequest{Name: "GO", Value: "1"}
		done(mara.Actions.CreateRepoVariable(ctx, owner, repo, body))
		response, err := mara.Actions.CreateRepoVariable(ctx, owner, repo, body)
		status(409, response, err)
		done(mara.Actions.UpdateRepoVariable(ctx, owner, repo, "GO", github.ActionsUpdateVariableRequest{Value: github.Ptr("2")}))
		equal("value", get(mara.Actions.GetRepoVariable(ctx, owner, repo, "GO")).Value, "2")
		equal("list", variableNames(get(mara.Actions.ListRepoVariables(ctx, owner, repo, nil))), []string{"GO=2", "OLD=eu", "REGION=eu"})
		equal("of the organization", variableNames(get(mara.Actions.ListRepoOrgVariables(ctx, owner, repo, nil))), []string{"EVERYWHERE=eu", "OLD=eu", "REGION=eu"})
		done(mara.Actions.DeleteRepoVariable(ctx, owner, repo, "GO"))
		_, response, err = mara.Actions.GetRepoVariable(ctx, owner, repo, "GO")
		status(404, response, err)
	}},
	{"environmentVariables", func() {
		done(mara.Actions.CreateEnvVariable(ctx, owner, repo, "production", github.ActionsCreateVariableRequest{Name: "GO", Value: "1"}))
		done(mara.Actions.UpdateEnvVariable(ctx, owner, repo, "production", "GO", github.ActionsUpdateVariableRequest{Value: github.Ptr("2")}))
		equal("value", get(mara.Actions.GetEnvVariable(ctx, owner, repo, "production", "GO")).Value, "2")
		equal("list", variableNames(get(mara.Actions.ListEnvVariables(ctx, owner, repo, "production", nil))), []string{"GO=2", "OLD=eu", "REGION=eu"})
		done(mara.Actions.DeleteEnvVariable(ctx, owner, repo, "production", "GO"))
		_, response, err := mara.Actions.GetEnvVariable(ctx, owner, repo, "production", "GO")
		status(404, response, err)
	}},
	{"organizationVariables", func() {
		hello, empty := harborIDs()
		body := github.ActionsCreateOrgVariableRequest{Name: "GO", Value: "1", Visibility: "selected", SelectedRepositoryIDs: []int64{hello}}
		done(mara.Actions.CreateOrgVariable(ctx, owner, body))
		done(mara.Actions.UpdateOrgVariable(ctx, owner, "GO", github.ActionsUpdateOrgVariableRequest{Value: github.Ptr("2")}))
		variable := get(mara.Actions.GetOrgVariable(ctx, owner, "GO"))
		equal("variable", []string{variable.Value, variable.GetVisibility()}, []string{"2", "selected"})
		equal("list", variableNames(get(mara.Actions.ListOrgVariables(ctx, owner, nil))), []string{"EVERYWHERE=eu", "GO=2", "OLD=eu", "REGION=eu"})
		selected := func() []string {
			return fullNames(get(mara.Actions.ListSelectedReposForOrgVariable(ctx, owner, "GO", nil)).Repositories)
		}
		done(mara.Actions.AddSelectedRepoToOrgVariable(ctx, owner, "GO", &github.Repository{ID: &empty}))
		equal("added", selected(), []string{"harbor/empty", "harbor/hello"})
		done(mara.Actions.RemoveSelectedRepoFromOrgVariable(ctx, owner, "GO", &github.Repository{ID: &hello}))
		equal("removed", selected(), []string{"harbor/empty"})
		done(mara.Actions.SetSelectedReposForOrgVariable(ctx, owner, "GO", []int64{hello}))
		equal("set", selected(), []string{"harbor/hello"})
		done(mara.Actions.DeleteOrgVariable(ctx, owner, "GO"))
		_, response, err := mara.Actions.GetOrgVariable(ctx, owner, "GO")
		status(404, response, err)
	}},
	{"environments", func() {
		list := get(kai.Repositories.ListEnvironments(ctx, owner, repo, nil))
		equal("names", sorted(list.Environments, (*github.Environment).GetName), []string{"approval", "gate", "production", "review", "staging"})
		production := get(kai.Repositories.GetEnvironment(ctx, owner, repo, "production"))
		reviewers := production.ProtectionRules[slices.IndexFunc(production.ProtectionRules, func(one *github.ProtectionRule) bool { return one.GetType() == "required_reviewers" })].Reviewers
		kinds := sorted(reviewers, (*github.RequiredReviewer).GetType)
		equal("reviewers", kinds, []string{"Team", "User"})
		equal("policy", production.GetDeploymentBranchPolicy().GetCustomBranchPolicies(), true)
		user := get(kai.Users.Get(ctx, "kai"))
		made := get(kai.Repositories.CreateUpdateEnvironment(ctx, yard, ropes, "sea", &github.CreateUpdateEnvironment{
			WaitTimer: github.Ptr(5), Reviewers: []*github.EnvReviewers{{Type: github.Ptr("User"), ID: user.ID}},
			DeploymentBranchPolicy: &github.BranchPolicy{ProtectedBranches: github.Ptr(false), CustomBranchPolicies: github.Ptr(true)},
		}))
		equal("name", made.GetName(), "sea")
		waits := slices.ContainsFunc(made.ProtectionRules, func(one *github.ProtectionRule) bool { return one.GetWaitTimer() == 5 })
		equal("wait timer", waits, true)
	}},
	{"deploymentBranchPolicies", func() {
		made := get(kai.Repositories.CreateDeploymentBranchPolicy(ctx, yard, ropes, "sea", github.CreateDeploymentBranchPolicyRequest{Name: "release/*"}))
		equal("name", made.GetName(), "release/*")
		get(kai.Repositories.UpdateDeploymentBranchPolicy(ctx, yard, ropes, "sea", made.GetID(), github.UpdateDeploymentBranchPolicyRequest{Name: "main"}))
		equal("updated", get(kai.Repositories.GetDeploymentBranchPolicy(ctx, yard, ropes, "sea", made.GetID())).GetName(), "main")
		list := get(kai.Repositories.ListDeploymentBranchPolicies(ctx, yard, ropes, "sea", nil))
		equal("list", sorted(list.BranchPolicies, (*github.DeploymentBranchPolicy).GetName), []string{"main"})
		done(kai.Repositories.DeleteDeploymentBranchPolicy(ctx, yard, ropes, "sea", made.GetID()))
		_, response, err := kai.Repositories.GetDeploymentBranchPolicy(ctx, yard, ropes, "sea", made.GetID())
		status(404, response, err)
		done(kai.Repositories.DeleteEnvironment(ctx, yard, ropes, "sea"))
		_, response, err = kai.Repositories.GetEnvironment(ctx, yard, ropes, "sea")
		status(404, response, err)
	}},
	{"deploymentProtectionRules", func() {
		rules := get(mara.Repositories.GetAllDeploymentProtectionRules(ctx, owner, repo, "production")).ProtectionRules
		equal("app", rules[0].GetApp().GetSlug(), "buoy")
		equal("one", get(mara.Repositories.GetCustomDeploymentProtectionRule(ctx, owner, repo, "production", rules[0].GetID())).GetEnabled(), true)
		available := get(mara.Repositories.ListCustomDeploymentRuleIntegrations(ctx, owner, repo, "review", nil)).AvailableIntegrations
		equal("available", sorted(available, (*github.CustomDeploymentProtectionRuleApp).GetSlug), []string{"buoy"})
		body := &github.CustomDeploymentProtectionRuleRequest{IntegrationID: available[0].ID}
		made := get(mara.Repositories.CreateCustomDeploymentProtectionRule(ctx, owner, repo, "review", body))
		equal("enabled", made.GetEnabled(), true)
		done(mara.Repositories.DisableCustomDeploymentProtectionRule(ctx, owner, repo, "review", made.GetID()))
		_, response, err := mara.Repositories.GetCustomDeploymentProtectionRule(ctx, owner, repo, "review", made.GetID())
		status(404, response, err)
	}},
	{"pendingDeployments", func() {
		waiting := func() []string {
			pending := get(olive.Actions.GetPendingDeployments(ctx, owner, repo, 16))
			return sorted(pending, func(one *github.PendingDeployment) string { return one.GetEnvironment().GetName() })
		}
		equal("waiting", waiting(), []string{"approval", "gate"})
		pending := get(olive.Actions.GetPendingDeployments(ctx, owner, repo, 16))
		approval := pending[slices.IndexFunc(pending, func(one *github.PendingDeployment) bool { return one.GetEnvironment().GetName() == "approval" })]
		equal("can approve", approval.GetCurrentUserCanApprove(), true)
		equal("reviewers", sorted(approval.Reviewers, func(one *github.RequiredReviewer) string { return one.Reviewer.(*github.User).GetLogin() }), []string{"olive", "piers"})
		review := github.PendingDeploymentsRequest{EnvironmentIDs: []int64{approval.GetEnvironment().GetID()}, State: "approved", Comment: "Ahoy"}
		equal("approved", sorted(get(olive.Actions.PendingDeployments(ctx, owner, repo, 16, review)), (*github.Deployment).GetEnvironment), []string{"approval"})
		_, response, err := olive.Actions.PendingDeployments(ctx, owner, repo, 16, review)
		status(422, response, err)
		equal("waiting after the review", waiting(), []string{"gate"})
		decision := github.ReviewCustomDeploymentProtectionRuleRequest{EnvironmentName: "gate", State: "approved", Comment: "Low tide"}
		response, err = olive.Actions.ReviewCustomDeploymentProtectionRule(ctx, owner, repo, 16, decision)
		status(403, response, err)
		done(as("buoy").Actions.ReviewCustomDeploymentProtectionRule(ctx, owner, repo, 16, decision))
		equal("waiting after the decision", waiting(), []string{})
	}},
	{"deployments", func() {
		made := get(mara.Repositories.CreateDeployment(ctx, owner, repo, github.DeploymentRequest{
			Ref: "main", Environment: github.Ptr("review"), Description: github.Ptr("Try it"), Payload: map[string]string{"by": "go-github"},
			AutoMerge: github.Ptr(false), RequiredContexts: []string{},
		}))
		equal("texts", []string{made.GetSHA(), made.GetTask(), made.GetDescription(), made.GetCreator().GetLogin()}, []string{fixture("COMMIT"), "deploy", "Try it", "mara"})
		equal("payload", string(made.Payload), `{"by":"go-github"}`)
		listed := get(mara.Repositories.ListDeployments(ctx, owner, repo, &github.DeploymentsListOptions{Environment: "review"}))
		equal("listed", listed[0].GetID(), made.GetID())
		equal("read", get(mara.Repositories.GetDeployment(ctx, owner, repo, made.GetID())).GetDescription(), "Try it")
		_, response, err := mara.Repositories.CreateDeployment(ctx, owner, repo, github.DeploymentRequest{Ref: "none"})
		status(422, response, err)
	}},
	{"deploymentStatuses", func() {
		id := get(mara.Repositories.ListDeployments(ctx, owner, repo, &github.DeploymentsListOptions{Environment: "review"}))[0].GetID()
		first := get(mara.Repositories.CreateDeploymentStatus(ctx, owner, repo, id, github.DeploymentStatusRequest{
			State: "in_progress", LogURL: github.Ptr("https://ci.example.com/9"), Description: github.Ptr("On its way"),
		}))
		equal("texts", []string{first.GetState(), first.GetDescription(), first.GetEnvironment()}, []string{"in_progress", "On its way", "review"})
		get(mara.Repositories.CreateDeploymentStatus(ctx, owner, repo, id, github.DeploymentStatusRequest{State: "inactive"}))
		equal("states", sorted(get(mara.Repositories.ListDeploymentStatuses(ctx, owner, repo, id, nil)), (*github.DeploymentStatus).GetState), []string{"in_progress", "inactive"})
		equal("log", get(mara.Repositories.GetDeploymentStatus(ctx, owner, repo, id, first.GetID())).GetLogURL(), "https://ci.example.com/9")
		done(mara.Repositories.DeleteDeployment(ctx, owner, repo, id))
		_, response, err := mara.Repositories.GetDeployment(ctx, owner, repo, id)
		status(404, response, err)
	}},
	{"apps", func() {
		buoy := get(mara.Apps.Get(ctx, "buoy"))
		equal("id", buoy.GetID(), int64(9))
		equal("owner", buoy.GetOwner().GetLogin(), "piers")
		installations := get(mara.Organizations.ListInstallations(ctx, owner, nil))
		equal("installations", sorted(installations.Installations, (*github.Installation).GetAppSlug), []string{"buoy", "dredger"})
		hello, empty := harborIDs()
		equal("before", fullNames(get(mara.Apps.ListUserRepos(ctx, 94, nil)).Repositories), []string{"harbor/empty", "harbor/hello"})
		done(mara.Apps.RemoveRepository(ctx, 94, empty))
		equal("removed", fullNames(get(mara.Apps.ListUserRepos(ctx, 94, nil)).Repositories), []string{"harbor/hello"})
		get(mara.Apps.AddRepository(ctx, 94, empty))
		equal("added", get(mara.Apps.ListUserRepos(ctx, 94, nil)).GetTotalCount(), 2)
		equal("id of hello", hello, int64(1))
	}},
}
