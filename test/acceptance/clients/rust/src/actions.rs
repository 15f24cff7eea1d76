//! Workflows, runs, secrets, variables, deployments and apps, of the fixture's repository, by a new owner.

use crate::{OWNER, Outcome, equal, fixture, hello, recent, releases::ropes, sorted, status};
use octocrab::{
    Octocrab,
    models::{
        RepositoryId,
        actions::CreateEnvironmentSecret,
        orgs::secrets::{CreateOrganizationSecret, Visibility},
        repos::{
            DeploymentBranchPolicySettings, DeploymentStatusState, EnvironmentReviewer,
            secrets::{CreateRepositorySecret, CreateRepositorySecretResponse},
        },
        workflows::{Conclusion, ReviewDeploymentState, Run},
    },
    workflows::WorkflowsHandler,
};
use serde_json::json;

fn of_hello(client: &Octocrab) -> WorkflowsHandler<'_> {
    client.workflows(OWNER, "hello")
}

fn ids(runs: &[Run]) -> Vec<u64> {
    let mut ids: Vec<u64> = runs.iter().map(|one| one.id.into_inner()).collect();
    ids.sort();
    ids
}

/// Returns the ids of harbor/hello and harbor/empty.
async fn repository_ids(client: &Octocrab) -> octocrab::Result<(RepositoryId, RepositoryId)> {
    Ok((
        hello(client).get().await?.id,
        client.repos(OWNER, "empty").get().await?.id,
    ))
}

pub async fn workflows(client: &Octocrab) -> Outcome {
    let workflows = of_hello(client);
    let listed = workflows.list().send().await?.items;
    equal("name", listed[0].name.as_str(), "CI")?;
    equal("path", listed[0].path.as_str(), ".github/workflows/ci.yml")?;
    equal("state", workflows.get_workflow("ci.yml").await?.state, "active")?;
    workflows.get_timing("ci.yml").await?;
    let actions = client.actions();
    let dispatch = || actions.create_workflow_dispatch(OWNER, "hello", "ci.yml", "main");
    dispatch().send().await?;
    let runs = workflows
        .list_runs("ci.yml")
        .event("workflow_dispatch")
        .send()
        .await?
        .items;
    equal("status", runs[0].status.as_str(), "queued")?;
    workflows.disable_workflow("ci.yml").await?;
    equal(
        "disabled",
        workflows.get_workflow("ci.yml").await?.state,
        "disabled_manually",
    )?;
    status(422, dispatch().send().await)?;
    workflows.enable_workflow("ci.yml").await?;
    hello(client)
        .create_dispatch("tide")
        .client_payload(json!({ "height": 3 }))
        .send()
        .await?;
    Ok(())
}

pub async fn runs(client: &Octocrab) -> Outcome {
    let workflows = of_hello(client);
    let page = workflows.list_all_runs().status("failure").per_page(1).send().await?;
    equal("failed", ids(&client.all_pages(page).await?), [7, 8, 9, 10])?;
    let run = workflows.get(7.into()).await?;
    equal("conclusion", run.conclusion.as_deref(), Some("failure"))?;
    equal("commit", run.head_sha, fixture("COMMIT"))?;
    equal("attempt", workflows.get_attempt(7.into(), 1).await?.id, run.id)?;
    workflows.get_run_timing(7.into()).await?;
    workflows.rerun_run(8.into()).await?;
    equal("rerun", workflows.get(8.into()).await?.status, "queued")?;
    workflows.rerun_failed_jobs(9.into()).await?;
    client.actions().cancel_workflow_run(OWNER, "hello", 11.into()).await?;
    workflows.force_cancel_run(12.into()).await?;
    equal(
        "cancelled",
        workflows.get(12.into()).await?.conclusion.as_deref(),
        Some("cancelled"),
    )?;
    workflows.approve_run(13.into()).await?;
    let logs = client
        .actions()
        .download_workflow_run_logs(OWNER, "hello", 7.into())
        .await?;
    equal("logs", logs.starts_with(b"PK"), true)?;
    equal(
        "logs of the attempt",
        workflows.download_attempt_logs(7.into(), 1).await?.starts_with(b"PK"),
        true,
    )?;
    client
        .actions()
        .delete_workflow_run_logs(OWNER, "hello", 15.into())
        .await?;
    workflows.delete_run(14).await?;
    status(404, workflows.get(14.into()).await)
}

pub async fn jobs(client: &Octocrab) -> Outcome {
    let workflows = of_hello(client);
    let jobs = workflows.list_jobs(7.into()).send().await?.items;
    equal("names", sorted(&jobs, |one| one.name.clone()), ["build", "test"])?;
    let build = jobs[0].id;
    equal("step", jobs[0].steps[0].name.as_str(), "greet")?;
    let read = workflows.get_job(build).await?;
    equal("conclusion", read.conclusion, Some(Conclusion::Success))?;
    equal("labels", read.labels, ["ubuntu-latest"])?;
    equal(
        "of the attempt",
        workflows.list_attempt_jobs(7.into(), 1).send().await?.items.len(),
        2,
    )?;
    let log = workflows.download_job_logs(build).await?;
    equal("log", String::from_utf8_lossy(&log).contains("Ahoy"), true)?;
    let rerun = workflows.list_jobs(10.into()).send().await?.items[0].id;
    workflows.rerun_job(rerun).await?;
    equal(
        "attempts",
        workflows.list_jobs(10.into()).send().await?.items[0].run_attempt,
        2,
    )
}

pub async fn caches(client: &Octocrab) -> Outcome {
    let actions = client.actions();
    let listed = actions
        .list_repo_caches(OWNER, "hello")
        .key("npm-")
        .sort("size_in_bytes")
        .send()
        .await?
        .actions_caches;
    equal(
        "keys",
        sorted(&listed, |one| one.key.clone()),
        ["npm-1", "npm-2", "npm-3"],
    )?;
    equal("largest", listed[0].size_in_bytes, 30)?;
    equal(
        "count",
        actions.get_repo_cache_usage(OWNER, "hello").await?.active_caches_count,
        3,
    )?;
    equal(
        "of the organization",
        actions
            .get_org_cache_usage(OWNER)
            .await?
            .total_active_caches_size_in_bytes,
        60,
    )?;
    let deleted = actions
        .delete_repo_caches_by_key(OWNER, "hello", "npm-1", None::<&str>)
        .await?;
    equal("deleted", deleted.actions_caches[0].key.as_str(), "npm-1")?;
    actions.delete_repo_cache(OWNER, "hello", listed[0].id).await?;
    equal(
        "left",
        actions.list_repo_caches(OWNER, "hello").send().await?.total_count,
        1,
    )
}

pub async fn repository_secrets(client: &Octocrab) -> Outcome {
    let repo = hello(client);
    let secrets = repo.secrets();
    equal(
        "key",
        secrets.get_public_key().await?.key_id,
        fixture("REPOSITORYKEYID"),
    )?;
    let (key, sealed) = (fixture("REPOSITORYKEYID"), fixture("REPOSITORYBOX"));
    let body = CreateRepositorySecret {
        encrypted_value: &sealed,
        key_id: &key,
    };
    let made = secrets.create_or_update_secret("RUST", &body).await?;
    equal("created", matches!(made, CreateRepositorySecretResponse::Created), true)?;
    recent("created", secrets.get_secret("RUST").await?.created_at)?;
    let listed = secrets.get_secrets().await?.secrets;
    equal(
        "names",
        sorted(&listed, |one| one.name.clone()),
        ["OLD", "RUST", "TOKEN"],
    )?;
    let inherited = secrets.list_org_secrets().await?.secrets;
    equal(
        "of the organization",
        sorted(&inherited, |one| one.name.clone()),
        ["EVERYWHERE", "OLD", "TOKEN"],
    )?;
    secrets.delete_secret("RUST").await?;
    status(404, secrets.get_secret("RUST").await)
}

pub async fn organization_secrets(client: &Octocrab) -> Outcome {
    let (hello, empty) = repository_ids(client).await?;
    let org = client.orgs(OWNER);
    let secrets = org.secrets();
    equal(
        "key",
        secrets.get_public_key().await?.key_id,
        fixture("ORGANIZATIONKEYID"),
    )?;
    let (key, sealed) = (fixture("ORGANIZATIONKEYID"), fixture("ORGANIZATIONBOX"));
    let selected = [u32::try_from(hello.into_inner())?];
    let body = CreateOrganizationSecret {
        encrypted_value: &sealed,
        key_id: &key,
        visibility: Visibility::Selected,
        selected_repository_ids: Some(&selected),
    };
    secrets.create_or_update_secret("RUST", &body).await?;
    let visibility = secrets.get_secret("RUST").await?.visibility;
    equal("visibility", matches!(visibility, Visibility::Selected), true)?;
    let listed = secrets.get_secrets().await?.secrets;
    equal(
        "names",
        sorted(&listed, |one| one.name.clone()),
        ["EVERYWHERE", "OLD", "RUST", "TOKEN"],
    )?;
    secrets.add_selected_repository("RUST", empty).await?;
    equal(
        "added",
        secrets.list_selected_repositories("RUST").await?.total_count,
        2,
    )?;
    secrets.remove_selected_repository("RUST", hello).await?;
    let left = secrets.list_selected_repositories("RUST").await?.repositories;
    equal("removed", sorted(&left, |one| one.name.clone()), ["empty"])?;
    secrets.set_selected_repositories("RUST", &[hello]).await?;
    let set = secrets.list_selected_repositories("RUST").await?.repositories;
    equal("set", sorted(&set, |one| one.name.clone()), ["hello"])?;
    secrets.delete_secret("RUST").await?;
    status(404, secrets.get_secret("RUST").await)
}

pub async fn repository_variables(client: &Octocrab) -> Outcome {
    let repo = hello(client);
    let variables = repo.variables();
    variables.create("RUST", "1").await?;
    status(409, variables.create("RUST", "1").await)?;
    variables.update("RUST", "2").await?;
    equal("value", variables.get("RUST").await?.value, "2")?;
    let listed = variables.list().await?.variables;
    equal(
        "names",
        sorted(&listed, |one| one.name.clone()),
        ["OLD", "REGION", "RUST"],
    )?;
    let inherited = variables.list_org_variables().await?.variables;
    equal(
        "of the organization",
        sorted(&inherited, |one| one.name.clone()),
        ["EVERYWHERE", "OLD", "REGION"],
    )?;
    variables.delete("RUST").await?;
    status(404, variables.get("RUST").await)
}

pub async fn organization_variables(client: &Octocrab) -> Outcome {
    let (hello, empty) = repository_ids(client).await?;
    let org = client.orgs(OWNER);
    let variables = org.variables();
    variables
        .create("RUST", "1", Visibility::Selected, Some(&[hello]))
        .await?;
    variables.update("RUST", None::<&str>, Some("2"), None, None).await?;
    equal("value", variables.get("RUST").await?.value, "2")?;
    let listed = variables.list().await?.variables;
    equal(
        "names",
        sorted(&listed, |one| one.name.clone()),
        ["EVERYWHERE", "OLD", "REGION", "RUST"],
    )?;
    variables.add_selected_repository("RUST", empty).await?;
    equal(
        "added",
        variables.list_selected_repositories("RUST").await?.total_count,
        2,
    )?;
    variables.remove_selected_repository("RUST", hello).await?;
    let left = variables.list_selected_repositories("RUST").await?.repositories;
    equal("removed", sorted(&left, |one| one.name.clone()), ["empty"])?;
    variables.set_selected_repositories("RUST", &[hello]).await?;
    variables.delete("RUST").await?;
    status(404, variables.get("RUST").await)
}

pub async fn environment_secrets(client: &Octocrab) -> Outcome {
    let (hello, _) = repository_ids(client).await?;
    let actions = client.actions();
    let secrets = actions.environment_secrets(hello, "production");
    let (key, sealed) = (fixture("ENVIRONMENTKEYID"), fixture("ENVIRONMENTBOX"));
    equal("key", secrets.get_public_key().await?.key_id, key.as_str())?;
    let body = CreateEnvironmentSecret {
        encrypted_value: &sealed,
        key_id: &key,
    };
    secrets.create_or_update("RUST", &body).await?;
    recent("created", secrets.get("RUST").await?.created_at)?;
    let listed = secrets.list().await?.secrets;
    equal(
        "names",
        sorted(&listed, |one| one.name.clone()),
        ["OLD", "RUST", "TOKEN"],
    )?;
    secrets.delete("RUST").await?;
    status(404, secrets.get("RUST").await)
}

pub async fn environment_variables(client: &Octocrab) -> Outcome {
    let (hello, _) = repository_ids(client).await?;
    let actions = client.actions();
    let variables = actions.environment_variables(hello, "production");
    variables.create("RUST", "1").await?;
    variables.update("RUST", None::<&str>, Some("2")).await?;
    equal("value", variables.get("RUST").await?.value, "2")?;
    let listed = variables.list().await?.variables;
    equal(
        "names",
        sorted(&listed, |one| one.name.clone()),
        ["OLD", "REGION", "RUST"],
    )?;
    variables.delete("RUST").await?;
    status(404, variables.get("RUST").await)
}

/// An environment of the repository with the releases, which belongs to `kai`.
pub async fn environments(client: &Octocrab) -> Outcome {
    let of_hello = hello(client).environments().list().send().await?.environments;
    equal(
        "names",
        sorted(&of_hello, |one| one.name.clone()),
        ["approval", "gate", "production", "review", "staging"],
    )?;
    let production = hello(client).environments().get("production").await?;
    let kinds = sorted(&production.protection_rules, |one| one.rule_type.clone());
    equal("rules", kinds.contains(&"required_reviewers".to_string()), true)?;
    let me = client.current().user().await?.id;
    let repo = ropes(client);
    let environments = repo.environments();
    let made = environments
        .create_or_update("sea")
        .wait_timer(5u32)
        .reviewer(EnvironmentReviewer::user(me))
        .deployment_branch_policy(Some(DeploymentBranchPolicySettings::new(false, true)))
        .send()
        .await?;
    equal(
        "waits",
        made.protection_rules.iter().any(|one| one.wait_timer == Some(5)),
        true,
    )?;

    let policies = environments.branch_policies("sea");
    let policy = policies.create("release/*").send().await?.id.ok_or("no id")?;
    policies.update(policy, "main").send().await?;
    equal("updated", policies.get(policy).await?.name, "main")?;
    equal("policies", policies.list().send().await?.branch_policies.len(), 1)?;
    policies.delete(policy).await?;
    status(404, policies.get(policy).await)?;
    environments.delete("sea").await?;
    status(404, environments.get("sea").await)
}

pub async fn protection_rules(client: &Octocrab) -> Outcome {
    let repo = hello(client);
    let environments = repo.environments();
    let production = environments.protection_rules("production");
    let rules = production.list().await?.custom_deployment_protection_rules;
    equal("app", rules[0].app.slug.as_str(), "buoy")?;
    equal("enabled", production.get(rules[0].id).await?.enabled, true)?;
    let review = environments.protection_rules("review");
    let available = review
        .list_apps()
        .send()
        .await?
        .available_custom_deployment_protection_rule_integrations;
    equal("available", sorted(&available, |one| one.slug.clone()), ["buoy"])?;
    let made = review.create(available[0].id).await?;
    review.disable(made.id).await?;
    status(404, review.get(made.id).await)
}

/// Reviews by `reviewer`, and a decision by the app of a custom rule.
pub async fn pending_deployments(reviewer: &Octocrab, app: &Octocrab) -> Outcome {
    let workflows = of_hello(reviewer);
    let pending = workflows.get_run_pending_deployments(16.into()).await?;
    equal(
        "waiting",
        sorted(&pending, |one| one.environment.name.clone()),
        ["approval", "gate"],
    )?;
    let approval = pending
        .iter()
        .find(|one| one.environment.name == "approval")
        .ok_or("no approval")?;
    equal("can approve", approval.current_user_can_approve, true)?;
    equal(
        "reviewers",
        sorted(&approval.reviewers, |one| one.reviewer["login"].to_string()),
        ["\"olive\"", "\"piers\""],
    )?;
    let ids = [approval.environment.id];
    let review = || workflows.review_pending_deployments(16, &ids, "approved", "Ahoy");
    equal("approved", review().await?[0]["environment"].as_str(), Some("approval"))?;
    status(422, review().await)?;
    let reviews = workflows.get_run_approvals(16.into()).await?;
    equal("reviews", sorted(&reviews, |one| one.comment.clone()), ["Ahoy"])?;
    equal("state", reviews[0].state.as_str(), "approved")?;
    equal("reviewed", reviews[0].environments[0].name.as_str(), "approval")?;
    let decide = async |client: &Octocrab| {
        let state = ReviewDeploymentState::Approved;
        of_hello(client)
            .review_custom_deployment_protection_rule(16.into(), "gate", state, "Low tide")
            .await
    };
    status(403, decide(reviewer).await)?;
    decide(app).await?;
    equal(
        "waiting after the decision",
        workflows.get_run_pending_deployments(16.into()).await?.len(),
        0,
    )
}

pub async fn deployments(client: &Octocrab) -> Outcome {
    let repo = hello(client);
    let deployments = repo.deployments();
    let made = deployments
        .create("main")
        .environment("review")
        .description("Try it")
        .payload(json!({ "by": "octocrab" }))
        .auto_merge(false)
        .required_contexts(Vec::<String>::new())
        .send()
        .await?;
    equal("commit", made.sha, fixture("COMMIT"))?;
    equal("payload", made.payload, json!({ "by": "octocrab" }))?;
    equal("creator", made.creator.ok_or("no creator")?.login, "mara")?;
    let listed = deployments.list().environment("review").send().await?.items;
    equal("listed", listed[0].id, made.id)?;
    equal(
        "read",
        deployments.get(made.id).await?.description.as_deref(),
        Some("Try it"),
    )?;
    status(422, deployments.create("none").send().await)?;

    let statuses = deployments.statuses(made.id);
    let create = statuses
        .create(DeploymentStatusState::InProgress)
        .log_url("https://ci.example.com/9");
    let first = create.description("On its way").send().await?;
    equal("state", first.state, DeploymentStatusState::InProgress)?;
    statuses.create(DeploymentStatusState::Inactive).send().await?;
    equal("statuses", statuses.list().send().await?.items.len(), 2)?;
    let log = statuses.get(first.id).await?.log_url;
    equal("log", log.as_deref(), Some("https://ci.example.com/9"))?;
    deployments.delete(made.id).await?;
    status(404, deployments.get(made.id).await)
}

pub async fn apps(client: &Octocrab) -> Outcome {
    let buoy = client.apps().get_app("buoy").await?;
    equal("id", buoy.id.into_inner(), 9)?;
    let installations = client.orgs(OWNER).list_installations().send().await?.items;
    equal(
        "installations",
        sorted(&installations, |one| one.id.to_string()),
        ["90", "94"],
    )?;
    let (_, empty) = repository_ids(client).await?;
    let current = client.current();
    let before = current.installation_repositories(94).send().await?.repositories;
    equal("before", sorted(&before, |one| one.name.clone()), ["empty", "hello"])?;
    current.remove_repository_from_installation(94, empty).await?;
    equal(
        "removed",
        current.installation_repositories(94).send().await?.total_count,
        1,
    )?;
    current.add_repository_to_installation(94, empty).await?;
    equal(
        "added",
        current.installation_repositories(94).send().await?.total_count,
        2,
    )
}
