//! Releases, their assets and reactions, and custom properties. The releases are in a new repository of `yard`.

use crate::{OWNER, Outcome, equal, hello, recent, reviews::YARD, sorted, status, with_token};
use octocrab::{
    Octocrab,
    models::{
        orgs::custom_properties::OrgCustomPropertyDefinition,
        reactions::ReactionContent,
        repos::{CustomPropertyValue, Release},
    },
    params::{pulls::MergeMethod, repos::Reference},
    repos::RepoHandler,
};
use serde_json::{Value, json};
use std::error::Error;

pub const ROPES: &str = "ropes";

pub fn ropes(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(YARD, ROPES)
}

/// Merges a pull request with a new file, and returns its line in release notes.
async fn merged(client: &Octocrab, name: &str) -> Result<String, Box<dyn Error>> {
    let repo = ropes(client);
    let tip = repo.branches().get("main").await?.commit.sha;
    repo.create_ref(&Reference::Branch(name.to_string()), tip).await?;
    let path = format!("{name}.md");
    repo.create_file(path, format!("Add {name}"), "hemp\n")
        .branch(name)
        .send()
        .await?;
    let pulls = client.pulls(YARD, ROPES);
    let pull = pulls.create(format!("Add {name}"), name, "main").send().await?;
    pulls.merge(pull.number).method(MergeMethod::Squash).send().await?;
    Ok(format!(
        "* Add {name} by @kai in {}",
        pull.html_url.ok_or("no address")?
    ))
}

fn tags(releases: &[Release]) -> Vec<String> {
    sorted(releases, |one| one.tag_name.clone())
}

pub async fn releases(client: &Octocrab) -> Outcome {
    let olive = with_token("olive");
    let of_hello = hello(&olive);
    let page = of_hello.releases().list().per_page(1).send().await?;
    equal("tags", tags(&olive.all_pages(page).await?), ["v0.1", "v1"])?;
    let latest = of_hello.releases().get_latest().await?;
    equal("name", latest.name.as_deref(), Some("First"))?;
    equal("author", latest.author.ok_or("no author")?.login, "olive")?;
    equal(
        "assets",
        sorted(&latest.assets, |one| one.name.clone()),
        ["greet.txt", "spare.txt"],
    )?;
    equal("by tag", of_hello.releases().get_by_tag("v1").await?.id, latest.id)?;
    status(404, of_hello.releases().get_by_tag("v9").await)?;

    client.orgs(YARD).create_repo(ROPES).auto_init(true).send().await?;
    let repo = ropes(client);
    let releases = repo.releases();
    releases.create("v0.9").prerelease(true).send().await?;
    let line = merged(client, "halyard").await?;
    let notes = releases
        .generate_release_notes("v1.0")
        .previous_tag_name("v0.9")
        .target_commitish("main")
        .send()
        .await?;
    equal("name of the notes", notes.name, "v1.0")?;
    equal("line", notes.body.contains(&line), true)?;
    let made = releases
        .create("v1.0")
        .name("Spliced")
        .body("Of hemp.")
        .target_commitish("main")
        .send()
        .await?;
    equal("body", made.body.as_deref(), Some("Of hemp."))?;
    recent("published", made.published_at.ok_or("no date")?)?;
    repo.get_ref(&Reference::Tag("v1.0".to_string())).await?;
    let id = made.id.into_inner();
    let edited = releases
        .update(id)
        .name("Spliced again")
        .prerelease(true)
        .send()
        .await?;
    equal("edited", edited.name.as_deref(), Some("Spliced again"))?;
    equal("prerelease", releases.get(id).await?.prerelease, true)?;
    status(422, releases.create("v1.0").send().await)?;
    let draft = releases.create("v2.0").draft(true).send().await?;
    equal("not published", draft.published_at, None)?;
    releases.delete(draft.id.into_inner()).await?;
    equal("left", tags(&releases.list().send().await?.items), ["v0.9", "v1.0"])
}

pub async fn assets(client: &Octocrab) -> Outcome {
    let repo = ropes(client);
    let release = repo.releases().get_by_tag("v1.0").await?.id.into_inner();
    let content = b"hemp\n\0\xff".repeat(30_000);
    let size = i64::try_from(content.len())?;
    let made = repo
        .releases()
        .upload_asset(release, "rope.bin", content.into())
        .label("Rope")
        .send()
        .await?;
    equal("label", made.label.as_deref(), Some("Rope"))?;
    equal("size", made.size, size)?;
    equal("type", made.content_type, "application/octet-stream")?;
    equal("digest", made.digest.unwrap_or_default().starts_with("sha256:"), true)?;
    let id = made.id.into_inner();
    let renamed = repo
        .release_assets()
        .update(id)
        .name("line.bin")
        .label("A line")
        .send()
        .await?;
    equal("renamed", renamed.name, "line.bin")?;
    equal("read", repo.release_assets().get(id).await?.size, size)?;
    let page = repo.releases().assets(release).per_page(1).send().await?;
    equal(
        "names",
        sorted(&client.all_pages(page).await?, |one| one.name.clone()),
        ["line.bin"],
    )?;
    repo.release_assets().delete(id).await?;
    status(404, repo.release_assets().get(id).await)
}

pub async fn reactions(client: &Octocrab) -> Outcome {
    let repo = ropes(client);
    let releases = repo.releases();
    let id = releases.get_by_tag("v1.0").await?.id;
    let made = releases.create_reaction(id, ReactionContent::Rocket).await?;
    equal("user", made.user.login, "kai")?;
    let listed = releases
        .list_reactions(id)
        .content(ReactionContent::Rocket)
        .send()
        .await?
        .items;
    equal("listed", listed[0].id, made.id)?;
    releases.delete_reaction(id, made.id).await?;
    equal("left", releases.list_reactions(id).send().await?.items.len(), 0)
}

pub async fn immutable_releases(client: &Octocrab) -> Outcome {
    let org = client.orgs(YARD);
    let settings = org.immutable_releases();
    let enforced = settings.get_settings().await?.enforced_repositories;
    equal("before", enforced.as_deref(), Some("none"))?;
    let first = ropes(client).get().await?.id;
    let second = client.repos(YARD, "sloops").get().await?.id;
    settings
        .set_settings(&json!({ "enforced_repositories": "selected", "selected_repository_ids": [first] }))
        .await?;
    let selected = async || -> Result<Vec<String>, Box<dyn Error>> {
        Ok(sorted(&settings.list_repositories().await?.repositories, |one| {
            one.name.clone()
        }))
    };
    equal("selected", selected().await?, ["ropes"])?;
    settings
        .set_repositories(&json!({ "selected_repository_ids": [second] }))
        .await?;
    equal("set", selected().await?, ["sloops"])?;
    settings.enable_repository(first.into_inner()).await?;
    let repo = ropes(client);
    equal(
        "enforced",
        repo.immutable_releases().await?.enforced_by_owner,
        Some(true),
    )?;
    settings.disable_repository(second.into_inner()).await?;
    equal("removed", selected().await?, ["ropes"])?;
    settings
        .set_settings(&json!({ "enforced_repositories": "none" }))
        .await?;
    repo.enable_immutable_releases().await?;
    equal("enabled", repo.immutable_releases().await?.enabled, true)?;
    let fixed = repo.releases().create("v3.0").send().await?;
    equal("immutable", fixed.immutable, Some(true))?;
    status(422, repo.delete_ref(&Reference::Tag("v3.0".to_string())).await)?;
    repo.disable_immutable_releases().await?;
    Ok(())
}

fn values(properties: &[CustomPropertyValue]) -> Vec<String> {
    sorted(properties, |one| {
        let value = one.value.as_ref().and_then(Value::as_str);
        format!("{}={}", one.property_name, value.unwrap_or_default())
    })
}

pub async fn custom_properties(client: &Octocrab) -> Outcome {
    let org = client.orgs(OWNER);
    let properties = org.custom_properties();
    let names = sorted(&properties.get_schema().await?, |one| one.property_name.clone());
    equal("names", names, ["doomed", "tier"])?;
    let wood: OrgCustomPropertyDefinition = serde_json::from_value(
        json!({ "property_name": "wood", "value_type": "single_select", "allowed_values": ["oak", "elm"] }),
    )?;
    let made = properties.create_or_update_property("wood", &wood).await?;
    equal("values", made.allowed_values, wood.allowed_values)?;
    let flag: OrgCustomPropertyDefinition = serde_json::from_value(
        json!({ "property_name": "flag", "value_type": "true_false", "required": true, "default_value": "true" }),
    )?;
    properties.create_or_update_schema([flag]).await?;
    equal(
        "required",
        properties.get_property_schema("flag").await?.required,
        Some(true),
    )?;
    let elm = CustomPropertyValue::new("wood", Some(json!("elm")));
    properties.create_or_update_values(["empty"], [elm]).await?;
    let found = properties.get_values().repository_query("empty").send().await?.items;
    equal("repository", found[0].repository_full_name.as_str(), "harbor/empty")?;
    equal(
        "of the repository",
        values(&found[0].properties),
        ["flag=true", "wood=elm"],
    )?;
    let repo = hello(client);
    let oak = CustomPropertyValue::new("wood", Some(json!("oak")));
    repo.custom_properties().create_or_update_values([oak]).await?;
    equal(
        "of hello",
        values(&repo.custom_properties().get_values().await?),
        ["flag=true", "tier=gold", "wood=oak"],
    )?;
    for name in ["wood", "flag"] {
        properties.remove_property(name).await?;
    }
    status(404, properties.get_property_schema("wood").await)
}
