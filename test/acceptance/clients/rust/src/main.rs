//! Calls all groups of the contract with octocrab, and prints one line of JSON per group.
//!
//! Environment: FORGE_URL, and the values of the fixture, for example FORGE_COMMIT.

mod account;
mod actions;
mod git_data;
mod issues;
mod people;
mod pulls;
mod readings;
mod releases;
mod repositories;
mod reviews;
mod settings;
mod writings;

use chrono::{DateTime, Utc};
use octocrab::{Octocrab, repos::RepoHandler};
use std::{error::Error, fmt::Debug, future::Future};

pub type Outcome = Result<(), Box<dyn Error>>;

pub const OWNER: &str = "harbor";

/// A new repository, with a first commit, that the groups after `repositories` write into.
pub const MADE: &str = "rust-made";

/// Returns a value of the fixture.
pub fn fixture(name: &str) -> String {
    std::env::var(format!("FORGE_{name}")).unwrap_or_default()
}

/// Returns a client that sends a token.
pub fn with_token(token: &str) -> Octocrab {
    let builder = Octocrab::builder().base_uri(format!("{}/api/v3/", fixture("URL")));
    builder.unwrap().personal_token(token.to_string()).build().unwrap()
}

pub fn hello(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(OWNER, "hello")
}

pub fn made(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(OWNER, MADE)
}

pub fn equal<A: Debug + PartialEq<B>, B: Debug>(name: &str, got: A, want: B) -> Outcome {
    if got == want {
        Ok(())
    } else {
        Err(format!("{name} is {got:?}, expected {want:?}").into())
    }
}

/// Expects the status of a call that must fail.
pub fn status<T>(want: u16, result: octocrab::Result<T>) -> Outcome {
    match result {
        Ok(_) => Err(format!("succeeded, expected {want}").into()),
        Err(octocrab::Error::GitHub { source, .. }) => equal("status", source.status_code.as_u16(), want),
        Err(other) => Err(other.into()),
    }
}

/// Expects a time of this test.
pub fn recent(name: &str, at: DateTime<Utc>) -> Outcome {
    equal(name, (Utc::now() - at).num_seconds().abs() < 600, true)
}

/// Returns one value of each item, sorted.
pub fn sorted<T>(items: &[T], of: impl Fn(&T) -> String) -> Vec<String> {
    let mut values: Vec<String> = items.iter().map(of).collect();
    values.sort();
    values
}

fn describe(failure: &(dyn Error + 'static)) -> String {
    match failure.downcast_ref() {
        Some(octocrab::Error::GitHub { source, .. }) => format!("{}: {}", source.status_code, source.message),
        _ => format!("{failure:?}").chars().take(300).collect(),
    }
}

async fn run(group: &str, call: impl Future<Output = Outcome>) {
    let detail = call.await.err().map(|failure| describe(failure.as_ref()));
    let line = serde_json::json!({ "group": group, "ok": detail.is_none(), "detail": detail.unwrap_or_default() });
    println!("{line}");
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let olive = with_token("olive");
    // A second account, because the forge limits the writes of an account in a minute.
    let piers = with_token("piers");
    // The owner of the organization of people.json.
    let vera = with_token("vera");
    // The owner of the organization with the repositories of people.json.
    let rosa = with_token("rosa");
    // The owner of the repository with the pull requests.
    let otto = with_token("otto");
    // Owners of the organization `yard`.
    let ines = with_token("ines");
    let kai = with_token("kai");
    // A new owner of the organization of the fixture.
    let mara = with_token("mara");
    run("root", readings::root(&olive)).await;
    run("rateLimit", readings::rate_limit(&olive)).await;
    run("users", readings::users(&olive)).await;
    run("organizations", readings::organizations(&olive)).await;
    run("branches", readings::branches(&olive)).await;
    run("tags", readings::tags(&olive)).await;
    run("commits", readings::commits(&olive)).await;
    run("search", readings::search(&olive)).await;
    run("events", readings::events(&olive)).await;
    run("repositories", writings::repositories(&olive)).await;
    run("gitRefs", git_data::refs(&olive)).await;
    run("gitBlobs", git_data::blobs(&olive)).await;
    run("gitTrees", git_data::trees(&olive)).await;
    run("gitCommits", git_data::commits(&olive)).await;
    run("gitTags", git_data::tags(&olive)).await;
    run("contents", writings::contents(&olive)).await;
    run("contents: write", writings::contents_write(&olive)).await;
    run("branches: write", writings::branches_write(&olive)).await;
    run("archives", writings::archives(&olive)).await;
    run("artifacts", writings::artifacts(&olive)).await;
    run("commitComments", writings::commit_comments(&olive)).await;
    run("reviewComments", writings::review_comments(&olive)).await;
    run("repositoryHooks", settings::repository_hooks(&olive)).await;
    run("organizationHooks", settings::organization_hooks(&olive)).await;
    run("workflowPolicies", settings::workflow_policies(&olive)).await;
    run("cacheLimits", settings::cache_limits(&olive)).await;
    run("billing", settings::billing(&olive)).await;
    run("projectViews", settings::project_views(&olive)).await;
    run("agentConfigurations", settings::agent_configurations(&olive)).await;
    run("rulesets", settings::rulesets(&olive)).await;
    run("keys", account::keys(&olive)).await;
    run("deployKeys", account::deploy_keys(&olive)).await;
    run("blocks", account::blocks(&olive)).await;
    run("installations", account::installations(&olive)).await;
    run("organizations: people", people::organizations(&vera)).await;
    run("organizationMembers", people::organization_members(&vera)).await;
    run("organizationMemberships", people::organization_memberships(&vera)).await;
    run("organizationInvitations", people::organization_invitations(&vera)).await;
    run("outsideCollaborators", people::outside_collaborators(&vera)).await;
    run("teams", people::teams(&vera)).await;
    run("teamMembers", people::team_members(&vera)).await;
    run("teamRepositories", people::team_repositories(&vera)).await;
    run("collaborators", people::collaborators(&vera)).await;
    run("repositoryInvitations", people::repository_invitations(&vera)).await;
    run("stars", people::stars(&vera)).await;
    run("watching", people::watching(&vera)).await;
    run("notifications", people::notifications(&vera)).await;
    run("users: profiles", people::profiles(&vera)).await;
    run("followers", people::followers(&vera)).await;
    run("emails", people::emails(&vera)).await;
    run("gpgKeys", people::gpg_keys(&vera)).await;
    run("sshSigningKeys", people::ssh_signing_keys(&vera)).await;
    run("blocks: organization", people::blocks(&vera)).await;
    run("search: repositories", repositories::search_repositories(&rosa)).await;
    run("search: users", repositories::search_users(&rosa)).await;
    run("search: commits", repositories::search_commits(&rosa)).await;
    run("search: labels", repositories::search_labels(&rosa)).await;
    run("search: topics", repositories::search_topics(&rosa)).await;
    run("repositories: settings", repositories::settings(&rosa)).await;
    run("repositories: templates", repositories::templates(&rosa)).await;
    run("repositories: transfer", repositories::transfer(&rosa)).await;
    run("repositories: public", repositories::public(&rosa)).await;
    run("autolinks", repositories::autolinks(&rosa)).await;
    run("licenses", repositories::licenses(&rosa)).await;
    run("gitignore", repositories::gitignore(&rosa)).await;
    run("markdown", repositories::markdown(&rosa)).await;
    run("meta", repositories::meta(&rosa)).await;
    run("forks", repositories::forks(&rosa)).await;
    run("issues", issues::issues(&olive)).await;
    run("issues: search", issues::search(&olive)).await;
    run("issueComments", issues::comments(&olive)).await;
    run("issueEvents", issues::events(&olive)).await;
    run("assignees", issues::assignees(&olive)).await;
    run("labels", issues::labels(&piers)).await;
    run("milestones", issues::milestones(&olive)).await;
    run("subIssues", issues::sub_issues(&olive)).await;
    run("issueDependencies", issues::dependencies(&olive)).await;
    run("issueTypes", issues::issue_types(&olive)).await;
    run("reactions", issues::reactions(&piers)).await;
    run("pulls", pulls::pulls(&otto)).await;
    run("pulls: merge", pulls::merges(&otto)).await;
    run("statuses", pulls::statuses(&otto)).await;
    run("checkRuns", pulls::check_runs(&olive)).await;
    run("checkSuites", pulls::check_suites(&olive)).await;
    run("organizationMemberships: owner", reviews::owner(&olive)).await;
    run("reviews", reviews::reviews(&ines)).await;
    run("reviewComments: threads", reviews::threads(&ines)).await;
    run("reviewRequests", reviews::review_requests(&ines)).await;
    run("branchProtections", reviews::branch_protections(&ines)).await;
    run("branchRestrictions", reviews::branch_restrictions(&ines)).await;
    run("codeOwners", reviews::code_owners(&ines)).await;
    run("repositoryRulesets", reviews::repository_rulesets(&kai)).await;
    run("rulesets: changes", reviews::organization_rulesets(&kai)).await;
    run("releases", releases::releases(&kai)).await;
    run("releaseAssets", releases::assets(&kai)).await;
    run("reactions: releases", releases::reactions(&kai)).await;
    run("immutableReleases", releases::immutable_releases(&kai)).await;
    run("customProperties", releases::custom_properties(&mara)).await;
    run("workflows", actions::workflows(&mara)).await;
    run("workflowRuns", actions::runs(&mara)).await;
    run("workflowJobs", actions::jobs(&mara)).await;
    run("actionsCaches", actions::caches(&mara)).await;
    run("repositorySecrets", actions::repository_secrets(&mara)).await;
    run("organizationSecrets", actions::organization_secrets(&mara)).await;
    run("repositoryVariables", actions::repository_variables(&mara)).await;
    run("organizationVariables", actions::organization_variables(&mara)).await;
    run("environmentSecrets", actions::environment_secrets(&mara)).await;
    run("environmentVariables", actions::environment_variables(&mara)).await;
    run("environments", actions::environments(&kai)).await;
    run("deploymentProtectionRules", actions::protection_rules(&mara)).await;
    run(
        "pendingDeployments",
        actions::pending_deployments(&olive, &with_token("buoy")),
    )
    .await;
    run("deployments", actions::deployments(&mara)).await;
    run("apps", actions::apps(&mara)).await;
}
