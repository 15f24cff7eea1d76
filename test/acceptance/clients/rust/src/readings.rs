//! Groups that only read.

use crate::{OWNER, Outcome, equal, fixture, hello, sorted, status};
use octocrab::Octocrab;

pub async fn root(client: &Octocrab) -> Outcome {
    let root = client.meta().get_api_root().await?;
    equal("topics", root.topic_search_url.is_some_and(|url| url.contains("/search/topics?q={query}")), true)?;
    equal("user", root.current_user_url.ends_with("/api/v3/user"), true)
}

pub async fn rate_limit(client: &Octocrab) -> Outcome {
    let limits = client.ratelimit().get().await?;
    equal("limit", limits.resources.core.limit, 5000)?;
    equal("search", limits.resources.search.limit, 30)
}

pub async fn users(client: &Octocrab) -> Outcome {
    equal("me", client.current().user().await?.login, "olive")?;
    equal(
        "name",
        client.users("piers").profile().await?.name.as_deref(),
        Some("Piers Quay"),
    )?;
    status(404, client.users("nobody").profile().await)
}

pub async fn organizations(client: &Octocrab) -> Outcome {
    let page = client.current().list_orgs().per_page(1).send().await?;
    let mine = client.all_pages(page).await?;
    equal("mine", sorted(&mine, |one| one.login.clone()), ["harbor", "pier"])?;
    equal(
        "name",
        client.orgs(OWNER).get().await?.name.as_deref(),
        Some("Harbor Board"),
    )
}

pub async fn branches(client: &Octocrab) -> Outcome {
    let page = hello(client).branches().list().per_page(1).send().await?;
    let branches = client.all_pages(page).await?;
    equal(
        "names",
        sorted(&branches, |one| one.name.clone()),
        [
            "clash",
            "greet-danish",
            "greet-finnish",
            "greet-late",
            "greet-swedish",
            "guarded",
            "guarded-2",
            "guarded-3",
            "guarded-4",
            "guarded-5",
            "main",
            "old",
            "side",
        ],
    )?;
    let main = hello(client).branches().get("main").await?;
    equal("commit", main.commit.sha, fixture("COMMIT"))
}

pub async fn tags(client: &Octocrab) -> Outcome {
    let page = hello(client).list_tags().per_page(1).send().await?;
    let tags = client.all_pages(page).await?;
    equal("names", sorted(&tags, |one| one.name.clone()), ["light", "v1"])?;
    equal("commit", tags[0].commit.sha.clone(), fixture("COMMIT"))
}

pub async fn commits(client: &Octocrab) -> Outcome {
    let page = hello(client).list_commits().per_page(1).send().await?;
    let commits = client.all_pages(page).await?;
    let ids: Vec<&str> = commits.iter().map(|one| one.sha.as_str()).collect();
    equal("commits", ids, [fixture("COMMIT"), fixture("PARENT")])?;
    let commit = client.commits(OWNER, "hello").get("main").await?;
    let files = commit.files.unwrap_or_default();
    equal(
        "files",
        sorted(&files, |one| one.filename.clone()),
        ["docs/CODEOWNERS", "docs/manual.md", "link"],
    )?;
    let comparison = client.commits(OWNER, "hello").compare("side", "main").send().await?;
    equal("ahead", comparison.ahead_by, 1)?;
    equal("merge base", comparison.merge_base_commit.sha, fixture("PARENT"))
}

pub async fn search(client: &Octocrab) -> Outcome {
    let found = client
        .search()
        .code("ahoy repo:harbor/hello")
        .per_page(1)
        .send()
        .await?;
    equal("total", found.total_count, Some(2))?;
    let items = client.all_pages(found).await?;
    equal(
        "paths",
        sorted(&items, |one| one.path.clone()),
        ["docs/manual.md", "src/greet.ts"],
    )
}

pub async fn events(client: &Octocrab) -> Outcome {
    let first = hello(client).events().per_page(100).send().await?;
    let events = first.value.ok_or("no value")?.items;
    let types = sorted(&events, |one| format!("{:?}", one.r#type));
    for name in ["CreateEvent", "DeleteEvent", "PublicEvent", "PushEvent", "WatchEvent"] {
        equal(name, types.contains(&name.to_string()), true)?;
    }
    let again = hello(client).events().per_page(100).etag(first.etag).send().await?;
    equal("not modified", again.value.is_none(), true)?;
    let olive = client.users("olive");
    let lists = [
        client.events().send().await?,
        client.orgs(OWNER).events().send().await?,
        olive.events().send().await?,
        olive.public_events().send().await?,
    ];
    for list in lists {
        equal("empty", list.value.ok_or("no value")?.items.is_empty(), false)?;
    }
    olive.received_events().send().await?;
    Ok(())
}
