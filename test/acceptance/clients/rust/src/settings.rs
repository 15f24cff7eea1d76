//! Hooks, and settings of an organization.

use crate::{MADE, OWNER, Outcome, equal, fixture, hello, sorted, status, with_token};
use octocrab::{
    Octocrab,
    models::{
        actions::{AllowedActions, EnabledRepositories},
        hooks::{Config, ContentType, Hook, UpdateHookConfig},
        webhook_events::WebhookEventType,
    },
};
use serde_json::json;
use std::time::Duration;

fn new_hook() -> Hook {
    Hook {
        name: "web".to_string(),
        active: true,
        events: vec![WebhookEventType::Push],
        config: Config {
            url: format!("{}/rust", fixture("RECEIVER")),
            content_type: Some(ContentType::Json),
            insecure_ssl: None,
            secret: Some("s".to_string()),
        },
        ..Hook::default()
    }
}

pub async fn repository_hooks(client: &Octocrab) -> Outcome {
    let repo = hello(client);
    let hooks = repo.hooks();
    let hook = hooks.create(new_hook()).await?;
    equal("secret", hook.config.secret.as_deref(), Some("********"))?;
    let page = hooks.list().per_page(1).send().await?;
    equal("count", client.all_pages(page).await?.len(), 3)?;
    equal("active", hooks.get(hook.id).await?.active, true)?;
    let updated = hooks
        .update(hook.id)
        .events(vec![WebhookEventType::Create])
        .send()
        .await?;
    equal("events", updated.events, [WebhookEventType::Create])?;
    let config = hooks
        .update_config(hook.id)
        .content_type(ContentType::Form)
        .send()
        .await?;
    equal("type", config.content_type, Some(ContentType::Form))?;
    equal(
        "config",
        hooks.get_config(hook.id).await?.content_type,
        Some(ContentType::Form),
    )?;
    hooks.ping(hook.id).await?;
    hooks.test(hook.id).await?;
    let mut delivery = None;
    for _ in 0..200 {
        let page = hooks.deliveries(hook.id).list().per_page(10).send().await?;
        delivery = page.items.into_iter().find(|one| one.status_code == 200);
        if delivery.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let id = delivery.ok_or("no delivery within 20 seconds")?.id;
    equal("id", hooks.deliveries(hook.id).get(id).await?.id, id)?;
    hooks.deliveries(hook.id).redeliver(id).await?;
    hooks.delete(hook.id).await?;
    status(404, hooks.get(hook.id).await)
}

pub async fn organization_hooks(client: &Octocrab) -> Outcome {
    let org = client.orgs(OWNER);
    let hooks = org.hooks();
    let hook = hooks.create(new_hook()).await?;
    let page = hooks.list().per_page(1).send().await?;
    equal("count", client.all_pages(page).await?.len(), 3)?;
    equal("active", hooks.get(hook.id).await?.active, true)?;
    let updated = hooks
        .update(hook.id)
        .events(vec![WebhookEventType::Create])
        .send()
        .await?;
    equal("events", updated.events, [WebhookEventType::Create])?;
    let change = UpdateHookConfig {
        content_type: Some(ContentType::Form),
        ..UpdateHookConfig::default()
    };
    hooks.update_config(hook.id, change).await?;
    equal(
        "config",
        hooks.get_config(hook.id).await?.content_type,
        Some(ContentType::Form),
    )?;
    hooks.ping(hook.id).await?;
    let mut delivery = None;
    for _ in 0..200 {
        let page = client
            .hooks(OWNER)
            .list_deliveries(hook.id.into())
            .per_page(10)
            .send()
            .await?;
        delivery = page.items.into_iter().find(|one| one.status_code == 200);
        if delivery.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let id = delivery.ok_or("no delivery within 20 seconds")?.id;
    equal(
        "event",
        client.hooks(OWNER).get_delivery(hook.id.into(), id).await?.event,
        "ping",
    )?;
    client.hooks(OWNER).retry_delivery(hook.id.into(), id).send().await?;
    hooks.delete(hook.id).await?;
    status(404, hooks.get(hook.id).await)
}

pub async fn workflow_policies(client: &Octocrab) -> Outcome {
    let allowed = Some(AllowedActions::LocalOnly);
    client
        .actions()
        .set_org_actions_permissions(OWNER, EnabledRepositories::All, allowed, None)
        .await?;
    let read = client.actions().get_org_actions_permissions(OWNER).await?;
    equal("allowed", format!("{:?}", read.allowed_actions), "Some(LocalOnly)")?;
    let permissions = client.orgs(OWNER).actions().permissions();
    permissions.set_artifact_and_log_retention(30).await?;
    equal("days", permissions.get_artifact_and_log_retention().await?.days, 30)?;
    permissions
        .set_fork_pr_contributor_approval("all_external_contributors")
        .await?;
    let approval = permissions.get_fork_pr_contributor_approval().await?;
    equal("approval", approval.approval_policy, "all_external_contributors")?;
    permissions
        .set_fork_pr_workflows_private_repos(&json!({ "run_workflows_from_fork_pull_requests": true }))
        .await?;
    let forks = permissions.get_fork_pr_workflows_private_repos().await?;
    equal("forks", forks.run_workflows_from_fork_pull_requests, true)?;
    status(
        403,
        with_token("piers").actions().get_org_actions_permissions(OWNER).await,
    )
}

pub async fn cache_limits(client: &Octocrab) -> Outcome {
    let enterprise = client.enterprises("coast").actions().cache();
    enterprise.set_retention_limit(20).await?;
    equal(
        "days",
        enterprise.get_retention_limit().await?.max_cache_retention_days,
        20,
    )?;
    enterprise.set_storage_limit(9).await?;
    equal("size", enterprise.get_storage_limit().await?.max_cache_size_gb, 9)?;
    let org = client.orgs(OWNER).actions().cache();
    org.set_retention_limit(10).await?;
    equal("days", org.get_retention_limit().await?.max_cache_retention_days, 10)?;
    org.set_storage_limit(5).await?;
    equal("size", org.get_storage_limit().await?.max_cache_size_gb, 5)?;
    status(400, org.set_retention_limit(21).await)
}

pub async fn billing(client: &Octocrab) -> Outcome {
    let billing = client.orgs(OWNER).billing();
    let year = fixture("TODAY")[..4].parse()?;
    let usage = billing.usage(year).send().await?;
    equal(
        "usage",
        usage.usage_items.iter().any(|one| one.product == "Actions"),
        true,
    )?;
    let premium = billing.premium_request_usage(year).user("piers").send().await?;
    equal("premium", premium.usage_items[0].gross_quantity, 12.0)?;
    let credits = billing.ai_credit_usage(year).send().await?;
    equal("credits", credits.usage_items[0].gross_quantity, 3.0)?;
    equal(
        "summary",
        billing.usage_summary(year).send().await?.usage_items.is_empty(),
        false,
    )
}

pub async fn project_views(client: &Octocrab) -> Outcome {
    client
        .orgs(OWNER)
        .projects_v2()
        .create_view(1, "All", "table")
        .send()
        .await?;
    let me = client.current().user().await?.id;
    client
        .users(me.to_string())
        .projects_v2()
        .create_view(1, "Mine", "board")
        .send()
        .await?;
    Ok(())
}

pub async fn agent_configurations(client: &Octocrab) -> Outcome {
    let read = hello(client).copilot().get_cloud_agent_configuration().await?;
    equal("allowed", read.custom_allowlist, Some(json!(["charts.harbor.example"])))
}

pub async fn rulesets(client: &Octocrab) -> Outcome {
    let org = client.orgs(OWNER);
    let ruleset = json!({
        "name": "Keep",
        "target": "tag",
        "enforcement": "active",
        "conditions": {
            "ref_name": { "include": ["~ALL"], "exclude": [] },
            "repository_name": { "include": [MADE], "exclude": [] }
        },
        "rules": [{ "type": "deletion" }]
    });
    let created = org.rulesets().create(&ruleset).await?;
    equal("name", org.rulesets().get(created.id).await?.name, "Keep")?;
    let names = sorted(&org.rulesets().list().send().await?, |one| one.name.clone());
    equal(
        "names",
        names,
        ["Gold is written well", "Keep", "Keep what was released", "To be deleted"],
    )
}
