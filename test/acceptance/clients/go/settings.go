package main

import (
	"github.com/google/go-github/v92/github"
)

// Hooks, and settings of an organization.
var settings = []group{
	{"repositoryHooks", func() {
		config := &github.HookConfig{URL: github.Ptr(fixture("RECEIVER") + "/go"), ContentType: github.Ptr("json"), Secret: github.Ptr("s")}
		hook := get(olive.Repositories.CreateHook(ctx, owner, repo, &github.Hook{Config: config, Events: []string{"create", "push"}}))
		id := hook.GetID()
		equal("secret", hook.GetConfig().GetSecret(), "********")
		hooks := all(func(page github.ListOptions) ([]*github.Hook, *github.Response, error) {
			return olive.Repositories.ListHooks(ctx, owner, repo, &page)
		})
		equal("count", len(hooks), 3)
		equal("url", get(olive.Repositories.GetHook(ctx, owner, repo, id)).GetConfig().GetURL(), config.GetURL())
		edited := get(olive.Repositories.EditHook(ctx, owner, repo, id, &github.Hook{Config: config, Events: []string{"push"}, Active: github.Ptr(true)}))
		equal("events", edited.Events, []string{"push"})
		change := github.HookConfig{ContentType: github.Ptr("form")}
		equal("type", get(olive.Repositories.UpdateHookConfiguration(ctx, owner, repo, id, change)).GetContentType(), "form")
		equal("config", get(olive.Repositories.GetHookConfiguration(ctx, owner, repo, id)).GetContentType(), "form")
		done(olive.Repositories.PingHook(ctx, owner, repo, id))
		done(olive.Repositories.TestHook(ctx, owner, repo, id))
		list := func() []*github.HookDelivery {
			return get(olive.Repositories.ListHookDeliveries(ctx, owner, repo, id, &github.ListCursorOptions{PerPage: 10}))
		}
		eventually("a delivery", func() bool { deliveries := list(); return len(deliveries) > 0 && deliveries[0].GetStatusCode() == 200 })
		delivery := get(olive.Repositories.GetHookDelivery(ctx, owner, repo, id, list()[0].GetID()))
		payload, err := delivery.ParseRequestPayload()
		equal("error", err, nil)
		equal("payload", payload != nil, true)
		redelivered, response, err := olive.Repositories.RedeliverHookDelivery(ctx, owner, repo, id, delivery.GetID())
		accepted(redelivered, response, err)
		done(olive.Repositories.DeleteHook(ctx, owner, repo, id))
	}},
	{"organizationHooks", func() {
		config := &github.HookConfig{URL: github.Ptr(fixture("RECEIVER") + "/go"), ContentType: github.Ptr("json")}
		// GitHub requires the name "web" for hooks of organizations.
		hook := get(olive.Organizations.CreateHook(ctx, owner, &github.Hook{Name: github.Ptr("web"), Config: config, Events: []string{"push"}}))
		id := hook.GetID()
		equal("type", hook.GetType(), "Organization")
		equal("count", len(get(olive.Organizations.ListHooks(ctx, owner, nil))), 3)
		equal("active", get(olive.Organizations.GetHook(ctx, owner, id)).GetActive(), true)
		edited := get(olive.Organizations.EditHook(ctx, owner, id, &github.Hook{Config: config, Events: []string{"create"}}))
		equal("events", edited.Events, []string{"create"})
		change := github.HookConfig{ContentType: github.Ptr("form")}
		equal("type", get(olive.Organizations.UpdateHookConfiguration(ctx, owner, id, change)).GetContentType(), "form")
		equal("config", get(olive.Organizations.GetHookConfiguration(ctx, owner, id)).GetContentType(), "form")
		done(olive.Organizations.PingHook(ctx, owner, id))
		list := func() []*github.HookDelivery {
			return get(olive.Organizations.ListHookDeliveries(ctx, owner, id, &github.ListCursorOptions{PerPage: 10}))
		}
		eventually("a delivery", func() bool { deliveries := list(); return len(deliveries) > 0 && deliveries[0].GetStatusCode() == 200 })
		delivery := get(olive.Organizations.GetHookDelivery(ctx, owner, id, list()[0].GetID()))
		equal("event", delivery.GetEvent(), "ping")
		redelivered, response, err := olive.Organizations.RedeliverHookDelivery(ctx, owner, id, delivery.GetID())
		accepted(redelivered, response, err)
		done(olive.Organizations.DeleteHook(ctx, owner, id))
	}},
	{"workflowPolicies", func() {
		permissions := github.ActionsPermissions{EnabledRepositories: github.Ptr("all"), AllowedActions: github.Ptr("local_only")}
		_, _, err := olive.Actions.UpdateActionsPermissions(ctx, owner, permissions)
		equal("error", err, nil)
		equal("allowed", get(olive.Actions.GetActionsPermissions(ctx, owner)).GetAllowedActions(), "local_only")
		done(olive.Actions.UpdateArtifactAndLogRetentionPeriodInOrganization(ctx, owner, github.ArtifactPeriodOpt{Days: github.Ptr(30)}))
		equal("days", get(olive.Actions.GetArtifactAndLogRetentionPeriodInOrganization(ctx, owner)).GetDays(), 30)
		approval := github.ContributorApprovalPermissions{ApprovalPolicy: "all_external_contributors"}
		done(olive.Actions.UpdateOrganizationForkPRContributorApprovalPermissions(ctx, owner, approval))
		read := get(olive.Actions.GetOrganizationForkPRContributorApprovalPermissions(ctx, owner))
		equal("approval", read.ApprovalPolicy, "all_external_contributors")
		forks := &github.WorkflowsPermissionsOpt{RunWorkflowsFromForkPullRequests: true, SendSecretsAndVariables: github.Ptr(false)}
		done(olive.Actions.UpdatePrivateRepoForkPRWorkflowSettingsInOrganization(ctx, owner, forks))
		equal("forks", get(olive.Actions.GetPrivateRepoForkPRWorkflowSettingsInOrganization(ctx, owner)).GetRunWorkflowsFromForkPullRequests(), true)
		_, response, err := as("piers").Actions.GetActionsPermissions(ctx, owner)
		status(403, response, err)
	}},
	{"billing", func() {
		usage := get(olive.Billing.GetOrganizationUsageReport(ctx, owner, nil))
		equal("products", usage.UsageItems[0].Product != "", true)
		premium := get(olive.Billing.GetOrganizationPremiumRequestUsageReport(ctx, owner, &github.PremiumRequestUsageReportOptions{User: github.Ptr("piers")}))
		equal("premium", premium.UsageItems[0].GrossQuantity, 12)
		equal("credits", get(olive.Billing.GetOrgAICreditUsage(ctx, owner, nil)).UsageItems[0].GrossQuantity, 3)
		equal("summary", len(get(olive.Billing.GetOrganizationUsageSummary(ctx, owner, nil)).UsageItems) > 0, true)
	}},
	{"projectViews", func() {
		view := github.CreateProjectV2ViewRequest{Name: "All", Layout: "table"}
		equal("view", get(olive.Projects.CreateOrganizationProjectView(ctx, owner, 1, view)).GetName(), "All")
		user := get(olive.Users.Get(ctx, "")).GetID()
		equal("view", get(olive.Projects.CreateUserProjectView(ctx, user, 1, view)).GetName(), "All")
	}},
	{"agentConfigurations", func() {
		configuration := get(olive.Copilot.GetCloudAgentConfiguration(ctx, owner, repo))
		equal("allowed", configuration.CustomAllowlist, []string{"charts.harbor.example"})
	}},
	{"rulesets", func() {
		patterns := github.RepositoryRulesetRefConditionParameters{Include: []string{"~ALL"}, Exclude: []string{}}
		names := github.RepositoryRulesetRepositoryNamesConditionParameters{Include: []string{made}, Exclude: []string{}}
		ruleset := get(olive.Organizations.CreateRepositoryRuleset(ctx, owner, github.RepositoryRuleset{
			Name: "Keep", Target: github.Ptr(github.RulesetTargetTag), Enforcement: github.RulesetEnforcementActive,
			Conditions: &github.RepositoryRulesetConditions{RefName: &patterns, RepositoryName: &names},
			Rules: &github.RepositoryRulesetRules{
				Deletion:       &github.EmptyRuleParameters{},
				TagNamePattern: &github.PatternRuleParameters{Operator: "starts_with", Pattern: "v"},
			},
		}))
		equal("pattern", ruleset.Rules.TagNamePattern.Pattern, "v")
		rulesets := all(func(page github.ListOptions) ([]*github.RepositoryRuleset, *github.Response, error) {
			return olive.Organizations.ListAllRepositoryRulesets(ctx, owner, &page)
		})
		equal("count", len(rulesets), 4)
		found := get(olive.Organizations.GetRepositoryRuleset(ctx, owner, ruleset.GetID()))
		equal("rule of the found one", found.Rules.TagNamePattern.Pattern, "v")
		tip := get(olive.Git.GetRef(ctx, owner, made, "heads/main")).GetObject().GetSHA()
		_, response, err := olive.Git.CreateRef(ctx, owner, made, github.CreateRef{Ref: "refs/tags/wrong", SHA: tip})
		status(422, response, err)
	}},
}

// Expects 202, which go-github returns as an error.
func accepted(_ any, response *github.Response, err error) {
	if _, is := err.(*github.AcceptedError); err != nil && !is {
		panic(err)
	}
	equal("status", response.StatusCode, 202)
}
