//! References and objects of git.

use crate::{OWNER, Outcome, equal, fixture, hello, sorted, status};
use octocrab::{
    Octocrab,
    models::{git::CreateTreeEntry, repos::Object},
    params::repos::Reference,
};

fn id_of(object: Object) -> String {
    match object {
        Object::Commit { sha, .. } | Object::Tag { sha, .. } => sha,
        other => format!("{other:?}"),
    }
}

pub async fn refs(client: &Octocrab) -> Outcome {
    let name = Reference::Branch("rust/new".to_string());
    hello(client).create_ref(&name, fixture("PARENT")).await?;
    let moved = hello(client).update_ref(&name, fixture("COMMIT")).send().await?;
    equal("moved", id_of(moved.object), fixture("COMMIT"))?;
    status(422, hello(client).update_ref(&name, fixture("PARENT")).send().await)?;
    hello(client)
        .update_ref(&name, fixture("PARENT"))
        .force(true)
        .send()
        .await?;
    equal(
        "read",
        id_of(hello(client).get_ref(&name).await?.object),
        fixture("PARENT"),
    )?;
    equal(
        "matching",
        hello(client).list_matching_refs("heads/rust").await?.len(),
        1,
    )?;
    hello(client).delete_ref(&name).await?;
    status(404, hello(client).get_ref(&name).await)?;
    let tag = hello(client).get_ref(&Reference::Tag("v1".to_string())).await?;
    equal("tag", id_of(tag.object), fixture("TAG"))
}

pub async fn blobs(client: &Octocrab) -> Outcome {
    let blob = hello(client).get_blob(fixture("BLOB")).await?;
    equal("size", blob.size, 15)?;
    equal("content", blob.content.trim(), "IyBIZWxsbwoKc2hpcHMK")?;
    let created = hello(client)
        .create_blob("# Hello\n\nships\n")
        .encoding("utf-8")
        .send()
        .await?;
    equal("id", created.sha, fixture("BLOB"))
}

pub async fn trees(client: &Octocrab) -> Outcome {
    let tree = hello(client).get_tree("main").recursive(true).send().await?;
    let paths = [
        ".github",
        ".github/workflows",
        ".github/workflows/ci.yml",
        "LICENSE",
        "README.md",
        "docs",
        "docs/CODEOWNERS",
        "docs/manual.md",
        "link",
        "src",
        "src/README.md",
        "src/greet.ts",
    ];
    equal("paths", sorted(&tree.tree, |one| one.path.clone()), paths)?;
    let added = CreateTreeEntry {
        path: "deep/new.txt".to_string(),
        mode: "100644".to_string(),
        r#type: "blob".to_string(),
        sha: None,
        content: Some("new\n".to_string()),
    };
    let changed = hello(client)
        .create_tree(vec![added])
        .base_tree(fixture("TREE"))
        .send()
        .await?;
    equal(
        "changed",
        sorted(&changed.tree, |one| one.path.clone()),
        [".github", "LICENSE", "README.md", "deep", "docs", "link", "src"],
    )
}

pub async fn commits(client: &Octocrab) -> Outcome {
    let git = client.repos(OWNER, "hello").git();
    let commit = git
        .create_commit("By octocrab", fixture("TREE"))
        .parents(vec![fixture("COMMIT")])
        .send()
        .await?;
    let read = hello(client).get_commit(commit.sha).await?;
    equal("message", read.message, "By octocrab")?;
    equal("tree", read.tree.sha, fixture("TREE"))?;
    equal("parent", read.parents[0].sha.clone(), Some(fixture("COMMIT")))
}

pub async fn tags(client: &Octocrab) -> Outcome {
    let read = hello(client).git().get_tag(fixture("TAG")).await?;
    equal("message", read.message.trim_end(), "The first season")?;
    let tag = hello(client)
        .git()
        .create_tag("second", "The second season\n", fixture("COMMIT"), "commit")
        .send()
        .await?;
    equal("read", hello(client).git().get_tag(tag.sha).await?.tag, "second")
}
