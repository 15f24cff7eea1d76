//! Settings, templates, transfers, forks and searches of repositories, in the organization of people.json.

use crate::{Outcome, equal, recent, sorted, status};
use octocrab::{
    Octocrab,
    models::Repository,
    params::{markdown::Mode, repos::forks::Sort},
    repos::RepoHandler,
};

const YARD: &str = "yard";

fn hulls(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(YARD, "hulls")
}

fn plans(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(YARD, "plans")
}

fn full_names(repositories: &[Repository]) -> Vec<String> {
    repositories
        .iter()
        .map(|one| one.full_name.clone().unwrap_or_default())
        .collect()
}

/// Commits a file to the branch main, and returns the id of the commit.
async fn write(repo: RepoHandler<'_>, path: &str, text: &str) -> octocrab::Result<String> {
    let written = repo
        .create_file(path, format!("Write {path}"), text)
        .branch("main")
        .send()
        .await?;
    Ok(written.commit.sha.unwrap_or_default())
}

pub async fn search_repositories(client: &Octocrab) -> Outcome {
    let page = client
        .search()
        .repositories("hulls org:yard")
        .sort("stars")
        .order("desc")
        .per_page(1)
        .send()
        .await?;
    equal("total", page.total_count, Some(2))?;
    equal("complete", page.incomplete_results, Some(false))?;
    equal(
        "names",
        full_names(&client.all_pages(page).await?),
        ["yard/hulls", "yard/plans"],
    )?;
    let typescript = client
        .search()
        .repositories("language:typescript org:yard")
        .send()
        .await?;
    equal("of a language", full_names(&typescript.items), ["yard/plans"])
}

pub async fn search_users(client: &Octocrab) -> Outcome {
    let found = client.search().users("reyes location:rotterdam").send().await?;
    equal("logins", sorted(&found.items, |one| one.login.clone()), ["rosa"])
}

pub async fn search_commits(client: &Octocrab) -> Outcome {
    let id = write(hulls(client), "seams.md", "dry\n").await?;
    let found = client
        .search()
        .commits("\"write seams\" repo:yard/hulls author:rosa")
        .sort("author-date")
        .send()
        .await?;
    equal("ids", sorted(&found.items, |one| one.sha.clone()), [id])?;
    let item = &found.items[0];
    equal("message", item.commit.message.as_str(), "Write seams.md")?;
    equal("author", item.author.as_ref().map(|one| one.login.as_str()), Some("rosa"))?;
    equal("repository", item.repository.full_name.as_str(), "yard/hulls")
}

pub async fn search_labels(client: &Octocrab) -> Outcome {
    let id = hulls(client).get().await?.id;
    let page = client.search().labels(id, "oak").per_page(1).send().await?;
    let labels: Vec<String> = client.all_pages(page).await?.into_iter().map(|one| one.name).collect();
    equal("names", labels, ["oak rot", "leak"])
}

pub async fn search_topics(client: &Octocrab) -> Outcome {
    let found = client.search().topics("hulls").send().await?;
    equal("names", sorted(&found.items, |one| one.name.clone()), ["hulls"])?;
    equal("repositories", found.items[0].repository_count, Some(2))?;
    equal("featured", found.items[0].featured, false)
}

pub async fn settings(client: &Octocrab) -> Outcome {
    let created = client
        .orgs(YARD)
        .create_repo("masts")
        .visibility("private")
        .auto_init(true)
        .has_wiki(false)
        .send()
        .await?;
    equal("private", created.private, Some(true))?;
    equal("wiki", created.has_wiki, Some(false))?;
    equal("squash", created.allow_squash_merge, Some(true))?;
    let masts = client.repos(YARD, "masts");
    masts
        .update()
        .has_issues(false)
        .has_projects(false)
        .is_template(true)
        .visibility("public")
        .send()
        .await?;
    let read = masts.get().await?;
    equal("issues", read.has_issues, Some(false))?;
    equal("projects", read.has_projects, Some(false))?;
    equal("template", read.is_template, Some(true))?;
    equal("visibility", read.visibility.as_deref(), Some("public"))?;
    status(410, client.issues(YARD, "masts").create("Varnish").send().await)?;
    status(422, masts.update().default_branch("none").send().await)?;
    masts.delete().await?;
    Ok(())
}

pub async fn templates(client: &Octocrab) -> Outcome {
    let skiff = plans(client)
        .generate("skiff")
        .owner(YARD)
        .description("A small boat")
        .include_all_branches(true)
        .private(true)
        .send()
        .await?;
    equal("name", skiff.full_name.as_deref(), Some("yard/skiff"))?;
    equal("private", skiff.private, Some(true))?;
    let template = skiff.template_repository.ok_or("no template")?;
    equal("template", template.full_name.as_deref(), Some("yard/plans"))?;
    let branches = client.repos(YARD, "skiff").list_branches().send().await?;
    equal("branches", sorted(&branches.items, |one| one.name.clone()), ["draft", "main"])?;
    status(422, hulls(client).generate("raft").send().await)
}

pub async fn transfer(client: &Octocrab) -> Outcome {
    let dinghy = plans(client).generate("dinghy").send().await?;
    let before = client
        .repos("rosa", "dinghy")
        .transfer(YARD)
        .new_name("tender")
        .send()
        .await?;
    equal("before", before.full_name.as_deref(), Some("rosa/dinghy"))?;
    let moved = client.repos(YARD, "tender").get().await?;
    equal("id", moved.id, dinghy.id)?;
    equal(
        "type of the owner",
        moved.owner.map(|one| one.r#type).as_deref(),
        Some("Organization"),
    )?;
    let old = client.repos("rosa", "dinghy").get().await?;
    equal("redirect", old.full_name.as_deref(), Some("yard/tender"))?;
    status(422, client.repos(YARD, "tender").transfer("otto").send().await)
}

pub async fn public(client: &Octocrab) -> Outcome {
    let id = plans(client).get().await?.id.into_inner();
    let since = client.all_repositories().since(id - 1).send().await?;
    equal("since", &full_names(&since.items)[..2], ["yard/plans", "yard/hulls"])?;
    let all = client.all_pages(client.all_repositories().send().await?).await?;
    let names = full_names(&all);
    equal("public", names.contains(&"harbor/hello".to_string()), true)?;
    equal("private", names.contains(&"yard/skiff".to_string()), false)
}

pub async fn autolinks(client: &Octocrab) -> Outcome {
    let repo = hulls(client);
    let links = repo.autolinks();
    equal(
        "before",
        sorted(&links.list().await?, |one| one.key_prefix.clone()),
        ["HULL-"],
    )?;
    let created = links
        .create("OAK-", "https://oaks.example/<num>")
        .is_alphanumeric(false)
        .send()
        .await?;
    let read = links.get(created.id).await?;
    equal("prefix", read.key_prefix, "OAK-")?;
    equal("URL", read.url_template, "https://oaks.example/<num>")?;
    equal("alphanumeric", read.is_alphanumeric, false)?;
    recent("updated", read.updated_at.ok_or("no time")?)?;
    status(
        422,
        links.create("oak-", "https://oaks.example/<num>").send().await,
    )?;
    links.delete(created.id).await?;
    status(404, links.get(created.id).await)
}

pub async fn licenses(client: &Octocrab) -> Outcome {
    let keys = sorted(&client.licenses().list_commonly_used().await?, |one| one.key.clone());
    equal("keys", keys.contains(&"apache-2.0".to_string()), true)?;
    let mit = client.licenses().get("mit").await?;
    equal("name", mit.name, "MIT License")?;
    equal("featured", mit.featured, Some(true))?;
    equal(
        "text",
        mit.body.unwrap_or_default().contains("Permission is hereby granted"),
        true,
    )?;
    status(404, client.licenses().get("none").await)
}

pub async fn gitignore(client: &Octocrab) -> Outcome {
    equal(
        "names",
        client.gitignore().list().await?.contains(&"Node".to_string()),
        true,
    )?;
    equal(
        "source",
        client.gitignore().get("Node").await?.contains("node_modules"),
        true,
    )
}

pub async fn markdown(client: &Octocrab) -> Outcome {
    let html = client.markdown().render("**Ahoy**").send().await?;
    equal("document", html.contains("<strong>Ahoy</strong>"), true)?;
    let linked = client
        .markdown()
        .render("See HULL-12")
        .mode(Mode::Gfm)
        .context("yard/hulls".to_string())
        .send()
        .await?;
    equal("reference", linked.contains("href=\"https://hulls.example/12\""), true)?;
    // octocrab sends the text as JSON, with quotation marks.
    let raw = client.markdown().render_raw("**Ahoy**").await?;
    equal("raw", raw.contains("&quot;<strong>Ahoy</strong>&quot;"), true)
}

pub async fn meta(client: &Octocrab) -> Outcome {
    let meta = client.meta().get_github_meta_information().await?;
    equal("passwords", meta.verifiable_password_authentication, false)
}

pub async fn forks(client: &Octocrab) -> Outcome {
    let fork = hulls(client).create_fork().send().await?;
    equal("name", fork.full_name.as_deref(), Some("rosa/hulls"))?;
    equal("fork", fork.fork, Some(true))?;
    let parent = fork.parent.ok_or("no parent")?;
    equal("parent", parent.full_name.as_deref(), Some("yard/hulls"))?;
    let skiffs = client
        .repos("fleet", "boats")
        .create_fork()
        .organization(YARD)
        .name("skiffs")
        .default_branch_only(true)
        .send()
        .await?;
    equal("of the organization", skiffs.full_name.as_deref(), Some("yard/skiffs"))?;
    let page = hulls(client).list_forks().sort(Sort::Oldest).per_page(1).send().await?;
    equal("forks", full_names(&client.all_pages(page).await?), ["rosa/hulls"])?;

    let own = || client.repos("rosa", "hulls");
    let nothing = own().merge_upstream("main").await?;
    equal("nothing", nothing.merge_type.as_deref(), Some("none"))?;
    let keel = write(hulls(client), "keel.md", "oak\n").await?;
    let merged = own().merge_upstream("main").await?;
    equal("type", merged.merge_type.as_deref(), Some("fast-forward"))?;
    equal("base", merged.base_branch.as_deref(), Some("yard:main"))?;
    equal("tip", own().branches().get("main").await?.commit.sha, keel)?;
    write(hulls(client), "deck.md", "oak\n").await?;
    write(own(), "deck.md", "pine\n").await?;
    status(409, own().merge_upstream("main").await)?;
    status(422, hulls(client).merge_upstream("main").await)
}
