//! Groups that write into repositories.

use crate::{MADE, OWNER, Outcome, equal, fixture, hello, made, sorted, status, with_token};
use octocrab::{
    Octocrab,
    params::{actions::ArchiveFormat, repos::Reference},
};

pub async fn repositories(client: &Octocrab) -> Outcome {
    let page = client
        .current()
        .list_repos_for_authenticated_user()
        .per_page(1)
        .send()
        .await?;
    let mine = client.all_pages(page).await?;
    let names = sorted(&mine, |one| one.full_name.clone().unwrap_or_default());
    equal(
        "mine",
        names,
        ["harbor/empty", "harbor/hello", "harbor/secret", "olive/hello", "olive/own"],
    )?;
    equal(
        "of harbor",
        client.orgs(OWNER).list_repos().send().await?.items.len(),
        3,
    )?;
    let own = client.users("olive").repos().send().await?;
    equal("of olive", own.items[1].archived, Some(true))?;
    let topics = hello(client).get().await?.topics;
    equal("topics", topics.unwrap_or_default(), ["ships", "greetings"])?;
    status(404, with_token("nell").repos(OWNER, "secret").get().await)?;
    let created = client.orgs(OWNER).create_repo(MADE).auto_init(true).send().await?;
    let updated = made(client).update().description("Made").send().await?;
    equal("id", updated.id, created.id)?;
    equal("description", updated.description.as_deref(), Some("Made"))?;
    let own = client.current().create_repo("rust-own").private(true).send().await?;
    equal("private", own.private, Some(true))?;
    client.repos("olive", "rust-own").delete().await?;
    hello(client).list_languages().await?;
    hello(client).list_contributors().send().await?;
    equal(
        "new topics",
        made(client).topics().replace(["boats", "ships"]).await?.names,
        ["boats", "ships"],
    )?;
    equal(
        "read topics",
        made(client).topics().get().await?.names,
        ["boats", "ships"],
    )?;
    Ok(())
}

pub async fn contents(client: &Octocrab) -> Outcome {
    let file = hello(client)
        .get_content()
        .path("README.md")
        .r#ref("main")
        .send()
        .await?;
    equal(
        "text",
        file.items[0].decoded_content().as_deref(),
        Some("# Hello\n\nships\n"),
    )?;
    let folder = hello(client).get_content().path("docs").send().await?;
    equal(
        "folder",
        sorted(&folder.items, |one| one.path.clone()),
        ["docs/CODEOWNERS", "docs/manual.md"],
    )?;
    equal("readme", hello(client).get_readme().send().await?.path, "README.md")?;
    equal(
        "readme of a folder",
        hello(client).get_readme().path("src").send().await?.path,
        "src/README.md",
    )?;
    equal("license", hello(client).license().await?.path, "LICENSE")?;
    let raw = hello(client)
        .raw_file(Reference::Branch("main".to_string()), "docs/manual.md")
        .await?;
    equal("raw", client.body_to_string(raw).await?, "Ahoy, 世界\n")
}

pub async fn contents_write(client: &Octocrab) -> Outcome {
    let path = "docs/new.md";
    let created = made(client)
        .create_file(path, "Create", "one\n")
        .branch("main")
        .send()
        .await?;
    let first = created.content.sha;
    status(
        422,
        made(client)
            .create_file(path, "Again", "two\n")
            .branch("main")
            .send()
            .await,
    )?;
    let updated = made(client)
        .update_file(path, "Update", "two\n", first)
        .branch("main")
        .send()
        .await?;
    let commit = updated.commit.sha.ok_or("no commit")?;
    equal("message", made(client).get_commit(commit).await?.message, "Update")?;
    made(client)
        .delete_file(path, "Delete", updated.content.sha)
        .branch("main")
        .send()
        .await?;
    status(404, made(client).get_content().path(path).send().await)
}

pub async fn branches_write(client: &Octocrab) -> Outcome {
    let tip = made(client).branches().get("main").await?.commit.sha;
    made(client)
        .create_ref(&Reference::Branch("topic".to_string()), tip)
        .await?;
    made(client)
        .create_file("topic.txt", "On a topic", "topic\n")
        .branch("topic")
        .send()
        .await?;
    equal(
        "renamed",
        made(client).branches().rename("topic", "renamed").await?.name,
        "renamed",
    )?;
    let merge = made(client)
        .merge("renamed", "main")
        .commit_message("Merge it")
        .send()
        .await?;
    equal("merge", merge.is_some(), true)?;
    equal(
        "again",
        made(client).merge("renamed", "main").send().await?.is_none(),
        true,
    )?;
    Ok(())
}

pub async fn archives(client: &Octocrab) -> Outcome {
    let main = Reference::Branch("main".to_string());
    let tarball = hello(client).download_tarball(main.clone()).await?;
    equal("tar", tarball.status().as_u16(), 200)?;
    equal(
        "zip",
        hello(client).download_zipball(main).await?.status().as_u16(),
        200,
    )
}

pub async fn artifacts(client: &Octocrab) -> Outcome {
    let page = client
        .actions()
        .list_repository_artifacts(OWNER, "hello")
        .per_page(1)
        .send()
        .await?;
    let artifacts = client.all_pages(page.value.ok_or("no value")?).await?;
    equal(
        "names",
        sorted(&artifacts, |one| one.name.clone()),
        ["old", "report", "spare"],
    )?;
    let of_run = client
        .actions()
        .list_workflow_run_artifacts(OWNER, "hello", 7.into())
        .send()
        .await?;
    let report = of_run.value.ok_or("no value")?.items.remove(0);
    equal("of the run", report.name, "report")?;
    equal(
        "read",
        client.actions().get_artifact(OWNER, "hello", report.id).await?.name,
        "report",
    )?;
    let archive = client
        .actions()
        .download_artifact(OWNER, "hello", report.id, ArchiveFormat::Zip)
        .await?;
    equal("archive", &archive[..2], b"PK")?;
    let spare = artifacts.iter().find(|one| one.name == "spare").ok_or("no spare")?;
    client.actions().delete_artifact(OWNER, "hello", spare.id).await?;
    Ok(())
}

pub async fn commit_comments(client: &Octocrab) -> Outcome {
    let page = hello(client).comments().list().per_page(1).send().await?;
    equal("count", client.all_pages(page).await?.len(), 3)?;
    let comment = hello(client).comments().get(11).await?;
    equal("body", comment.body.as_deref(), Some("**Well** said."))?;
    equal("commit", comment.commit_id, fixture("COMMIT"))?;
    let updated = hello(client).comments().update(12, "On one line.").await?;
    equal("updated", updated.body.as_deref(), Some("On one line."))?;
    hello(client).comments().delete(13).await?;
    let repo = hello(client);
    let head = fixture("COMMIT");
    let create = repo
        .comments()
        .create(&head, "Well done")
        .path("docs/manual.md")
        .line(1u64);
    let created = create.send().await?;
    equal("path", created.path.as_deref(), Some("docs/manual.md"))?;
    let of_commit = repo.comments().list().commit_sha(&head).send().await?.items;
    equal("of a commit", of_commit.last().map(|one| one.id), Some(created.id))
}

pub async fn review_comments(client: &Octocrab) -> Outcome {
    let page = client
        .pulls(OWNER, "hello")
        .list_comments(None)
        .per_page(1)
        .send()
        .await?;
    equal("count", client.all_pages(page).await?.len(), 4)?;
    let comment = client.pulls(OWNER, "hello").comment(21.into()).get().await?;
    equal("line", comment.line, Some(2))?;
    let updated = client
        .pulls(OWNER, "hello")
        .comment(22.into())
        .update("Because of that.")
        .await?;
    equal("updated", updated.body, "Because of that.")
}
