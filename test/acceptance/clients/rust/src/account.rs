//! Settings of a user, and installations.

use crate::{Outcome, equal, hello, sorted, status, with_token};
use octocrab::Octocrab;

pub async fn keys(client: &Octocrab) -> Outcome {
    let olive = client.users("olive");
    let keys = client.all_pages(olive.git_ssh_keys().per_page(1).list().await?).await?;
    equal("titles", sorted(&keys, |one| one.title.clone()), ["lamp", "spare"])?;
    status(
        422,
        olive.git_ssh_keys().add("again".to_string(), keys[0].key.clone()).await,
    )?;
    equal(
        "key",
        olive.git_ssh_keys().get(keys[1].id).await?.key,
        keys[1].key.clone(),
    )?;
    olive.git_ssh_keys().delete(keys[1].id).await?;
    let again = olive
        .git_ssh_keys()
        .add("again".to_string(), keys[1].key.clone())
        .await?;
    equal("title", again.title, "again")?;
    equal("public", olive.list_user_git_ssh_keys().send().await?.items.len(), 2)
}

pub async fn deploy_keys(client: &Octocrab) -> Outcome {
    let repo = hello(client);
    let keys = client.all_pages(repo.keys().list().per_page(1).send().await?).await?;
    equal(
        "titles",
        sorted(&keys, |one| one.title.clone()),
        ["To be deleted", "deploy"],
    )?;
    repo.keys().delete(keys[1].id).await?;
    let again = repo.keys().create("again", &keys[1].key).read_only(true).send().await?;
    let read = repo.keys().get(again.id).await?;
    equal("title", read.title, "again")?;
    equal("read-only", read.read_only, true)?;
    equal("added by", read.added_by.as_deref(), Some("olive"))
}

pub async fn blocks(client: &Octocrab) -> Outcome {
    let olive = client.users("olive");
    equal("before", olive.is_blocked("piers").await?, false)?;
    olive.block_user("piers").await?;
    equal("after", olive.is_blocked("piers").await?, true)?;
    let page = olive.blocks().per_page(1).list().await?;
    let blocked = client.all_pages(page).await?;
    equal("logins", sorted(&blocked, |one| one.login.clone()), ["nell", "piers"])?;
    // octocrab expects JSON, but the response is a 204 without a body.
    let unblocked = olive.unblock_user("piers").await;
    equal("error", matches!(unblocked, Err(octocrab::Error::Json { .. })), true)?;
    equal("unblocked", olive.is_blocked("piers").await?, false)
}

pub async fn installations(client: &Octocrab) -> Outcome {
    let page = client
        .current()
        .list_app_installations_accessible_to_user()
        .per_page(1)
        .send()
        .await?;
    let installations = client.all_pages(page).await?;
    equal("ids", sorted(&installations, |one| one.id.to_string()), ["90", "91", "94", "95"])?;
    let app = with_token("spent");
    let reached = app.apps().installation_repositories().send().await?.repositories;
    equal("repositories", reached[0].full_name.as_deref(), Some("harbor/hello"))?;
    app.apps().revoke_installation_token().await?;
    status(401, app.apps().installation_repositories().send().await)
}
