//! Reviews, branch protection and rulesets, in a new repository of the organization `yard`.
#![allow(deprecated)] // No other method creates a review.

use crate::{OWNER, Outcome, equal, fixture, hello, recent, sorted, status, with_token};
use octocrab::{
    Octocrab,
    models::{
        ReviewId,
        orgs::OrgMembershipState,
        pulls::{PullRequest, ReviewAction, ReviewState, Side},
        repos::branches::{UpdatePullRequestReviews, UpdateRestrictions, UpdateStatusChecks},
        rulesets::{RuleSuiteResult, RulesetEnforcement},
    },
    params::{
        orgs::Role,
        repos::Reference,
        teams::{Permission, Privacy},
    },
    pulls::PullRequestHandler,
    repos::RepoHandler,
};
use serde_json::json;
use std::error::Error;

pub const YARD: &str = "yard";
const SLOOPS: &str = "sloops";

fn sloops(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(YARD, SLOOPS)
}

fn of_sloops(client: &Octocrab) -> PullRequestHandler<'_> {
    client.pulls(YARD, SLOOPS)
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|one| one.to_string()).collect()
}

/// Creates a branch with a file of one line, and returns the id of its commit.
async fn create_branch(client: &Octocrab, name: &str) -> Result<String, Box<dyn Error>> {
    let repo = sloops(client);
    let tip = repo.branches().get("main").await?.commit.sha;
    repo.create_ref(&Reference::Branch(name.to_string()), tip).await?;
    let path = format!("{name}.md");
    let written = repo
        .create_file(path, format!("Add {name}"), "oak\n")
        .branch(name)
        .send()
        .await?;
    Ok(written.commit.sha.unwrap_or_default())
}

async fn propose(client: &Octocrab, name: &str) -> Result<PullRequest, Box<dyn Error>> {
    create_branch(client, name).await?;
    let title = format!("Add {name}");
    Ok(of_sloops(client).create(title, name, "main").send().await?)
}

/// Makes mara an owner of the organization of the fixture.
pub async fn owner(olive: &Octocrab) -> Outcome {
    olive
        .orgs(OWNER)
        .add_or_update_membership("mara", Some(Role::Admin))
        .await?;
    let mara = with_token("mara");
    let accepted = mara
        .current()
        .update_org_membership(OWNER, OrgMembershipState::Active)
        .await?;
    equal("role", accepted.role, "admin")
}

pub async fn reviews(client: &Octocrab) -> Outcome {
    client.orgs(YARD).create_repo(SLOOPS).auto_init(true).send().await?;
    let keelson = propose(client, "keelson").await?;
    let number = keelson.number;
    let otto = with_token("otto");
    let of_otto = of_sloops(&otto);
    let head = keelson.head.sha.clone();
    let made = of_otto
        .pull_number(number)
        .reviews()
        .create_review(head.clone(), "Not yet", ReviewAction::RequestChanges, Vec::new())
        .await?;
    equal("state", made.state, Some(ReviewState::ChangesRequested))?;
    equal("body", made.body.as_deref(), Some("Not yet"))?;
    equal("commit", made.commit_id, Some(head))?;
    recent("submitted", made.submitted_at.ok_or("no date")?)?;
    let id = made.id.into_inner();
    // octocrab sends a text instead of an object.
    status(400, of_otto.pr_review_actions(number, id).update("Not at all").await)?;
    let of_ines = of_sloops(client);
    let read = of_ines.pr_review_actions(number, id).get().await?;
    equal("read", read.state, Some(ReviewState::ChangesRequested))?;
    equal("user", read.user.ok_or("no user")?.login, "otto")?;
    let dismissed = of_ines.pr_review_actions(number, id).dismiss("It is oak").await?;
    equal("dismissed", dismissed.state, Some(ReviewState::Dismissed))?;
    let page = of_ines.list_reviews(number).per_page(1).send().await?;
    let states: Vec<_> = client.all_pages(page).await?.into_iter().map(|one| one.state).collect();
    equal("states", states, [Some(ReviewState::Dismissed)])?;
    let own = of_ines.pull_number(number);
    let approval = own
        .reviews()
        .create_review(keelson.head.sha, "", ReviewAction::Approve, Vec::new())
        .await;
    status(422, approval)?;
    status(404, of_ines.pr_review_actions(number, 1).get().await)?;

    // The fixture has pending reviews of olive; octocrab cannot create one.
    let olive = with_token("olive");
    let of_hello = olive.pulls(OWNER, "hello");
    let deleted = of_hello.pr_review_actions(22, 31).delete_pending().await?;
    equal("pending", deleted.state, Some(ReviewState::Pending))?;
    status(404, of_hello.pr_review_actions(22, 31).get().await)?;
    let submitted = of_hello
        .pr_review_actions(21, 32)
        .submit(ReviewAction::Comment, "Done")
        .await?;
    equal("submitted", submitted.state, Some(ReviewState::Commented))?;
    let comments = of_hello.pr_review_actions(20, 30);
    let listed = comments.list_comments().send().await?.items;
    equal("comments", listed[0].body.as_str(), "Danish ships do.")?;
    equal("review", listed[0].pull_request_review_id, Some(ReviewId(30)))
}

pub async fn threads(client: &Octocrab) -> Outcome {
    let stern = propose(client, "stern").await?;
    let pulls = of_sloops(client);
    let head = stern.head.sha.clone();
    let made = pulls
        .create_comment(stern.number, "Plane it", head.clone(), "stern.md", 1)
        .await?;
    equal("line", made.line, Some(1))?;
    equal("side", made.side, Some(Side::Right))?;
    equal("hunk", made.diff_hunk, "@@ -0,0 +1 @@\n+oak")?;
    let reply = pulls.reply_to_comment(stern.number, made.id, "It is planed").await?;
    equal("reply", reply.in_reply_to_id, Some(made.id))?;
    let page = pulls.list_comments(Some(stern.number)).per_page(1).send().await?;
    let comments = client.all_pages(page).await?;
    equal(
        "bodies",
        sorted(&comments, |one| one.body.clone()),
        ["It is planed", "Plane it"],
    )?;
    pulls.comment(reply.id).delete().await?;
    equal(
        "left",
        pulls.list_comments(Some(stern.number)).send().await?.items.len(),
        1,
    )?;
    status(
        422,
        pulls.create_comment(stern.number, "Where?", head, "stern.md", 9).await,
    )
}

pub async fn review_requests(client: &Octocrab) -> Outcome {
    let number = propose(client, "bow").await?.number;
    let pulls = of_sloops(client);
    pulls.request_reviews(number, texts(&["otto"]), Vec::new()).await?;
    let requested = pulls.list_requested_reviewers(number).await?;
    equal("users", sorted(&requested.users, |one| one.login.clone()), ["otto"])?;
    equal("teams", requested.teams.len(), 0)?;
    status(422, pulls.request_reviews(number, texts(&["nobody"]), Vec::new()).await)?;
    pulls
        .remove_requested_reviewers(number, texts(&["otto"]), Vec::new())
        .await?;
    equal("none", pulls.get_requested_reviewers(number).await?.users.len(), 0)?;
    let late = client.pulls(OWNER, "hello").get_requested_reviewers(22).await?;
    equal(
        "teams of the fixture",
        sorted(&late.teams, |one| one.slug.clone()),
        ["crew"],
    )
}

pub async fn branch_protections(client: &Octocrab) -> Outcome {
    create_branch(client, "helm").await?;
    let repo = sloops(client);
    let branches = repo.branches();
    let helm = branches.protection("helm");
    status(404, helm.get().await)?;
    let checks = UpdateStatusChecks {
        strict: true,
        contexts: texts(&["carve", "paint"]),
        checks: None,
    };
    let reviews = UpdatePullRequestReviews {
        dismiss_stale_reviews: Some(true),
        required_approving_review_count: Some(2),
        ..Default::default()
    };
    let made = helm
        .update()
        .required_status_checks(Some(checks))
        .enforce_admins(Some(true))
        .required_pull_request_reviews(Some(reviews))
        .required_linear_history(true)
        .allow_force_pushes(true)
        .send()
        .await?;
    let enabled = [
        made.required_linear_history,
        made.allow_force_pushes,
        made.allow_deletions,
    ]
    .map(|flag| flag.map(|one| one.enabled));
    equal("settings", enabled, [Some(true), Some(true), Some(false)])?;
    let read = helm.get().await?;
    let read_checks = read.required_status_checks.ok_or("no checks")?;
    equal("contexts", read_checks.contexts, ["carve", "paint"])?;
    equal("strict", read_checks.strict, true)?;
    let count = read
        .required_pull_request_reviews
        .and_then(|one| one.required_approving_review_count);
    equal("reviews", count, Some(2))?;
    equal("protected", branches.get("helm").await?.protected, true)?;
    status(
        422,
        repo.create_file("tiller.md", "Add a tiller", "ash\n")
            .branch("helm")
            .send()
            .await,
    )?;

    let checks = helm.status_checks();
    equal("not strict", checks.update().strict(false).send().await?.strict, false)?;
    let contexts = checks.contexts();
    equal("contexts", contexts.get().await?, ["carve", "paint"])?;
    equal(
        "added",
        contexts.add(texts(&["sand"])).await?,
        ["carve", "paint", "sand"],
    )?;
    equal("removed", contexts.remove(texts(&["carve"])).await?, ["paint", "sand"])?;
    equal("set", contexts.set(texts(&["varnish"])).await?, ["varnish"])?;
    equal("read", checks.get().await?.contexts, ["varnish"])?;
    checks.remove().await?;
    status(404, checks.get().await)?;

    let reviews = helm.pull_request_reviews();
    equal("stale", reviews.get().await?.dismiss_stale_reviews, Some(true))?;
    let edited = reviews
        .update()
        .required_approving_review_count(1)
        .require_last_push_approval(true)
        .send()
        .await?;
    equal("count", edited.required_approving_review_count, Some(1))?;
    equal("last push", edited.require_last_push_approval, Some(true))?;
    reviews.delete().await?;
    status(404, reviews.get().await)?;

    helm.enforce_admins().delete().await?;
    equal("admins", helm.enforce_admins().get().await?.enabled, false)?;
    equal("admins again", helm.enforce_admins().set().await?.enabled, true)?;
    equal("signatures", helm.signatures().get().await?.enabled, false)?;
    equal("signatures now", helm.signatures().create().await?.enabled, true)?;
    helm.signatures().delete().await?;
    helm.delete().await?;
    equal("unprotected", branches.get("helm").await?.protected, false)
}

pub async fn branch_restrictions(client: &Octocrab) -> Outcome {
    let teams = client.teams(YARD);
    teams.create("Carvers").privacy(Privacy::Closed).send().await?;
    teams
        .repos("carvers")
        .add_or_update(YARD, SLOOPS, Permission::Push)
        .await?;
    let repo = sloops(client);
    repo.add_collaborator("otto")
        .permission(Permission::Push)
        .send()
        .await?;
    let helm = repo.branches().protection("helm");
    let restrictions = UpdateRestrictions {
        users: texts(&["otto"]),
        teams: texts(&["carvers"]),
        apps: None,
    };
    helm.update().restrictions(Some(restrictions)).send().await?;
    let read = helm.restrictions().get().await?;
    equal("users", sorted(&read.users, |one| one.login.clone()), ["otto"])?;
    equal("teams", sorted(&read.teams, |one| one.slug.clone()), ["carvers"])?;

    let restrictions = helm.restrictions();
    let users = restrictions.users();
    equal("listed users", users.list().await?[0].login.as_str(), "otto")?;
    equal("removed users", users.remove(texts(&["otto"])).await?.len(), 0)?;
    equal(
        "added users",
        users.add(texts(&["ines"])).await?[0].login.as_str(),
        "ines",
    )?;
    equal(
        "set users",
        users.set(texts(&["otto"])).await?[0].login.as_str(),
        "otto",
    )?;
    let teams = restrictions.teams();
    equal("listed teams", teams.list().await?[0].slug.as_str(), "carvers")?;
    equal("removed teams", teams.remove(texts(&["carvers"])).await?.len(), 0)?;
    equal(
        "added teams",
        teams.add(texts(&["carvers"])).await?[0].slug.as_str(),
        "carvers",
    )?;
    equal(
        "set teams",
        teams.set(texts(&["carvers"])).await?[0].slug.as_str(),
        "carvers",
    )?;
    restrictions.delete().await?;
    status(404, restrictions.get().await)?;

    // The app of the fixture is installed in harbor/hello.
    let mara = with_token("mara");
    let repo = hello(&mara);
    let apps = repo.branches().protection("guarded").restrictions().apps();
    equal("listed apps", apps.list().await?[0].slug.as_deref(), Some("buoy"))?;
    equal("removed apps", apps.remove(texts(&["buoy"])).await?.len(), 0)?;
    equal(
        "added apps",
        apps.add(texts(&["buoy"])).await?[0].slug.as_deref(),
        Some("buoy"),
    )?;
    equal("set apps", apps.set(texts(&["buoy"])).await?.len(), 1)
}

pub async fn code_owners(client: &Octocrab) -> Outcome {
    let found = hello(client).codeowners_errors().send().await?.errors;
    equal("count", found.len(), 1)?;
    equal("place", [found[0].line, found[0].column], [1, 10])?;
    equal("kind", found[0].kind.as_str(), "Unknown owner")?;
    equal("path", found[0].path.as_str(), "docs/CODEOWNERS")
}

pub async fn repository_rulesets(client: &Octocrab) -> Outcome {
    let repo = sloops(client);
    let rulesets = repo.rulesets();
    let body = json!({
        "name": "Keels",
        "target": "branch",
        "enforcement": "active",
        "conditions": { "ref_name": { "include": ["refs/heads/keel*"], "exclude": [] } },
        "rules": [{ "type": "deletion" }, { "type": "commit_message_pattern", "parameters": { "operator": "starts_with", "pattern": "Add" } }]
    });
    let made = rulesets.create(&body).await?;
    equal("source", made.source, "yard/sloops")?;
    equal("enforcement", made.enforcement, RulesetEnforcement::Active)?;
    equal(
        "names",
        sorted(&rulesets.list().send().await?, |one| one.name.clone()),
        ["Keels"],
    )?;
    let rules = rulesets.rules_for_branch("keelson").send().await?;
    equal(
        "rules",
        sorted(&rules, |one| one.rule_type.clone()),
        ["commit_message_pattern", "deletion"],
    )?;
    equal("ruleset", rules[0].ruleset_id, Some(made.id))?;
    status(422, repo.delete_ref(&Reference::Branch("keelson".to_string())).await)?;
    let suites = rulesets.rule_suites().list().rule_suite_result("fail").send().await?;
    equal("suite", suites[0].ref_name.as_str(), "refs/heads/keelson")?;
    let suite = rulesets.rule_suites().get(suites[0].id).await?;
    equal("actor", suite.actor_name.as_deref(), Some("kai"))?;
    equal(
        "rule",
        sorted(&suite.rule_evaluations, |one| one.rule_type.clone()),
        ["commit_message_pattern", "deletion"],
    )?;

    rulesets
        .update(made.id, &json!({ "name": "All keels", "enforcement": "disabled" }))
        .await?;
    let read = rulesets.get(made.id).send().await?;
    equal("name", read.name, "All keels")?;
    equal("disabled", read.enforcement, RulesetEnforcement::Disabled)?;
    let versions = rulesets.history(made.id).await?;
    equal("versions", versions.len(), 2)?;
    let first = rulesets.version(made.id, versions[1].version_id).await?;
    equal("first", first.state.ok_or("no state")?["name"].as_str(), Some("Keels"))?;
    rulesets.delete(made.id).await?;
    status(404, rulesets.get(made.id).send().await)
}

pub async fn organization_rulesets(client: &Octocrab) -> Outcome {
    let org = client.orgs(YARD);
    let rulesets = org.rulesets();
    let body = json!({
        "name": "Sloops",
        "target": "tag",
        "enforcement": "disabled",
        "conditions": {
            "ref_name": { "include": ["~ALL"], "exclude": [] },
            "repository_name": { "include": [SLOOPS], "exclude": [] }
        },
        "rules": [{ "type": "deletion" }]
    });
    let made = rulesets.create(&body).await?;
    let updated = rulesets.update(made.id, &json!({ "name": "All sloops" })).await?;
    equal("name", updated.name, "All sloops")?;
    let versions = rulesets.history(made.id).await?;
    equal("versions", versions.len(), 2)?;
    let first = rulesets.version(made.id, versions[1].version_id).await?;
    equal("first", first.state.ok_or("no state")?["name"].as_str(), Some("Sloops"))?;
    rulesets.delete(made.id).await?;
    status(404, rulesets.get(made.id).await)?;

    let olive = with_token("olive");
    let org = olive.orgs(OWNER);
    let rulesets = org.rulesets();
    let suites = rulesets
        .rule_suites()
        .list()
        .repository_name("hello")
        .time_period("month")
        .send()
        .await?;
    let guarded = suites
        .iter()
        .find(|one| one.ref_name == "refs/heads/guarded")
        .ok_or("no suite")?;
    equal("result", guarded.result, RuleSuiteResult::Fail)?;
    let suite = rulesets.rule_suites().get(guarded.id).await?;
    equal(
        "details",
        suite.rule_evaluations[0].details.as_deref(),
        Some("Cannot force-push to this branch"),
    )?;
    equal("commit", suite.after_sha.len(), fixture("COMMIT").len())
}
