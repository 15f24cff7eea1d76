//! Pull requests, statuses and checks. The pull requests and statuses are in a new repository of otto, and the app of the
//! fixture writes the checks.

use crate::{OWNER, Outcome, equal, fixture, hello, recent, sorted, status, with_token};
use octocrab::{
    Octocrab,
    checks::ChecksHandler,
    commits::PullRequestTarget,
    models::{IssueState, StatusState, checks::AutoTriggerCheck, pulls::PullRequest, repos::DiffEntryStatus},
    params::{
        Direction, State,
        checks::{
            CheckRunConclusion, CheckRunOutput, CheckRunOutputAnnotation, CheckRunOutputAnnotationLevel, CheckRunStatus,
        },
        pulls as parameters,
        repos::{Commitish, Reference},
    },
    pulls::PullRequestHandler,
    repos::RepoHandler,
};
use std::error::Error;

const AUTHOR: &str = "otto";
const DECKS: &str = "decks";

/// The app of the fixture.
const APP: u64 = 9;

fn decks(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(AUTHOR, DECKS)
}

fn of_decks(client: &Octocrab) -> PullRequestHandler<'_> {
    client.pulls(AUTHOR, DECKS)
}

fn of_hello(client: &Octocrab) -> ChecksHandler<'_> {
    client.checks(OWNER, "hello")
}

fn main_branch() -> Reference {
    Reference::Branch("main".to_string())
}

fn numbers(pulls: &[PullRequest]) -> Vec<u64> {
    pulls.iter().map(|one| one.number).collect()
}

/// Returns the newest commit of the branch main.
async fn tip(client: &Octocrab) -> octocrab::Result<String> {
    Ok(decks(client).branches().get("main").await?.commit.sha)
}

/// Commits a file to a branch, and returns the id of the commit.
async fn write(client: &Octocrab, branch: &str, path: &str) -> octocrab::Result<String> {
    let written = decks(client)
        .create_file(path, format!("Write {path}"), "One line\n")
        .branch(branch)
        .send()
        .await?;
    Ok(written.commit.sha.unwrap_or_default())
}

/// Creates a branch with a commit, and returns the id of the commit.
async fn create_branch(client: &Octocrab, name: &str) -> Result<String, Box<dyn Error>> {
    let branch = Reference::Branch(name.to_string());
    decks(client).create_ref(&branch, tip(client).await?).await?;
    Ok(write(client, name, &format!("{name}.md")).await?)
}

pub async fn pulls(client: &Octocrab) -> Outcome {
    client.current().create_repo(DECKS).auto_init(true).send().await?;
    let oak = create_branch(client, "oak").await?;
    let created = of_decks(client)
        .create("Oak decks", "oak", "main")
        .body("By **octocrab**")
        .send()
        .await?;
    equal("number", created.number, 1)?;
    equal("body", created.body.as_deref(), Some("By **octocrab**"))?;
    equal("state", created.state, Some(IssueState::Open))?;
    equal("author", created.user.ok_or("no author")?.login, AUTHOR)?;
    equal("label", created.head.label.as_deref(), Some("otto:oak"))?;
    equal("head", created.head.sha, oak.as_str())?;
    equal("base", created.base.ref_field, "main")?;
    equal("draft", created.draft, Some(false))?;
    equal("commits", created.commits, Some(1))?;
    equal("lines", [created.additions, created.deletions], [Some(1), Some(0)])?;
    equal("changed files", created.changed_files, Some(1))?;
    recent("created", created.created_at.ok_or("no date")?)?;
    status(422, of_decks(client).create("Again", "oak", "main").send().await)?;

    create_branch(client, "elm").await?;
    let draft = of_decks(client)
        .create("Elm decks", "elm", "main")
        .draft(true)
        .send()
        .await?;
    equal("draft", draft.draft, Some(true))?;
    let page = of_decks(client)
        .list()
        .state(State::All)
        .sort(parameters::Sort::Created)
        .direction(Direction::Ascending)
        .per_page(1)
        .send()
        .await?;
    equal("all", numbers(&client.all_pages(page).await?), [1, 2])?;
    let chosen = of_decks(client).list().head("otto:elm").base("main").send().await?;
    equal("chosen", numbers(&chosen.items), [2])?;

    let closed = of_decks(client)
        .update(1)
        .title("Decks of oak")
        .state(parameters::State::Closed)
        .send()
        .await?;
    equal("title", closed.title.as_deref(), Some("Decks of oak"))?;
    equal("closed", closed.state, Some(IssueState::Closed))?;
    recent("closed", closed.closed_at.ok_or("no date")?)?;
    of_decks(client).update(1).state(parameters::State::Open).send().await?;
    equal("reopened", of_decks(client).get(1).await?.state, Some(IssueState::Open))?;

    let page = of_decks(client).pr_commits(1).per_page(1).send().await?;
    let commits = client.all_pages(page).await?;
    let messages = sorted(&commits, |one| one.commit.message.clone());
    equal("messages", messages, ["Write oak.md"])?;
    equal("commit", commits[0].sha.as_str(), oak.as_str())?;
    let files = of_decks(client).list_files(1).await?.items;
    equal("file", files[0].filename.as_str(), "oak.md")?;
    equal("change", &files[0].status, &DiffEntryStatus::Added)?;
    equal("patch", files[0].patch.as_deref(), Some("@@ -0,0 +1 @@\n+One line"))?;
    let of_commit = client
        .commits(AUTHOR, DECKS)
        .associated_pull_requests(PullRequestTarget::Sha(oak.clone()))
        .send()
        .await?;
    equal("of the commit", numbers(&of_commit.items), [1])?;
    let again = decks(client).list_pulls(oak.clone()).send().await?;
    equal("of the commit again", numbers(&again.items), [1])?;
    let branches = client.commits(AUTHOR, DECKS).branches_where_head(&oak).await?;
    equal("branches", sorted(&branches, |one| one.name.clone()), ["oak"])?;
    status(404, of_decks(client).get(9).await)
}

pub async fn merges(client: &Octocrab) -> Outcome {
    status(405, of_decks(client).merge(2).send().await)?;
    write(client, "main", "deck.md").await?;
    equal("updated", of_decks(client).update_branch(1).await?, true)?;
    equal("updated again", of_decks(client).update_branch(1).await?, false)?;
    equal("commits", of_decks(client).pr_commits(1).send().await?.items.len(), 2)?;
    status(409, of_decks(client).merge(1).sha("1".repeat(40)).send().await)?;
    let merge = of_decks(client)
        .merge(1)
        .title("Lay oak")
        .message("On all decks")
        .sha(of_decks(client).get(1).await?.head.sha)
        .method(parameters::MergeMethod::Squash)
        .send()
        .await?;
    equal("merged", merge.merged, true)?;
    let commit = tip(client).await?;
    equal("commit", merge.sha.as_deref(), Some(commit.as_str()))?;
    let message = decks(client).get_commit(commit.as_str()).await?.message;
    equal("message", message.trim_end(), "Lay oak\n\nOn all decks")?;
    equal("is merged", of_decks(client).is_merged(1).await?, true)?;
    equal("is not merged", of_decks(client).is_merged(2).await?, false)?;
    let read = of_decks(client).get(1).await?;
    equal("state", read.state, Some(IssueState::Closed))?;
    equal("merged", read.merged, Some(true))?;
    equal("merged by", read.merged_by.ok_or("no user")?.login, AUTHOR)?;
    equal("commit", read.merge_commit_sha, Some(commit))?;
    recent("merged", read.merged_at.ok_or("no date")?)?;
    status(405, of_decks(client).merge(1).send().await)
}

pub async fn statuses(client: &Octocrab) -> Outcome {
    let commit = tip(client).await?;
    let passed = decks(client)
        .create_status(commit.clone(), StatusState::Success)
        .context("tests".to_string())
        .description("All passed".to_string())
        .target("https://tests.example/1".to_string())
        .send()
        .await?;
    equal("state", passed.state, StatusState::Success)?;
    equal("context", passed.context.as_deref(), Some("tests"))?;
    equal("description", passed.description.as_deref(), Some("All passed"))?;
    equal("URL", passed.target_url.as_deref(), Some("https://tests.example/1"))?;
    equal("creator", passed.creator.ok_or("no creator")?.login, AUTHOR)?;
    recent("created", passed.created_at.ok_or("no date")?)?;
    for state in [StatusState::Pending, StatusState::Failure] {
        decks(client)
            .create_status(commit.clone(), state)
            .context("docs".to_string())
            .send()
            .await?;
    }
    let page = decks(client).list_statuses(commit.clone()).per_page(1).send().await?;
    let states: Vec<StatusState> = client.all_pages(page).await?.into_iter().map(|one| one.state).collect();
    equal(
        "states",
        states,
        [StatusState::Failure, StatusState::Pending, StatusState::Success],
    )?;
    let combined = decks(client).combined_status_for_ref(&main_branch()).await?;
    equal("combined", combined.state, StatusState::Failure)?;
    equal("commit", combined.sha, commit)?;
    equal("total", combined.total_count, 2)?;
    let contexts = sorted(&combined.statuses, |one| one.context.clone().unwrap_or_default());
    equal("contexts", contexts, ["docs", "tests"])?;
    equal(
        "of the fixture",
        hello(client).combined_status_for_ref(&main_branch()).await?.state,
        StatusState::Success,
    )?;
    status(
        422,
        decks(client)
            .create_status("1".repeat(40), StatusState::Success)
            .send()
            .await,
    )
}

fn tides() -> CheckRunOutput {
    CheckRunOutput {
        title: "Tides".to_string(),
        summary: "Neither *high* nor low".to_string(),
        text: None,
        annotations: vec![CheckRunOutputAnnotation {
            path: "README.md".to_string(),
            start_line: 3,
            end_line: 3,
            start_column: None,
            end_column: None,
            annotation_level: CheckRunOutputAnnotationLevel::Warning,
            message: "Ships need water".to_string(),
            title: Some("Depth".to_string()),
            raw_details: None,
        }],
        images: vec![],
    }
}

pub async fn check_runs(client: &Octocrab) -> Outcome {
    let app = with_token("buoy");
    let created = of_hello(&app)
        .create_check_run("tides", fixture("COMMIT"))
        .status(CheckRunStatus::InProgress)
        .external_id("8")
        .details_url("https://buoy.example/8")
        .send()
        .await?;
    equal("running", created.conclusion.is_none(), true)?;
    equal("URL", created.details_url.as_deref(), Some("https://buoy.example/8"))?;
    recent("started", created.started_at.ok_or("no date")?)?;
    let completed = of_hello(&app)
        .update_check_run(created.id)
        .status(CheckRunStatus::Completed)
        .conclusion(CheckRunConclusion::Neutral)
        .output(tides())
        .send()
        .await?;
    equal("conclusion", completed.conclusion.as_deref(), Some("neutral"))?;
    recent("completed", completed.completed_at.ok_or("no date")?)?;
    let read = of_hello(&app).get_check_run(created.id).send().await?;
    equal("name", read.name, "tides")?;
    equal("commit", read.head_sha, fixture("COMMIT"))?;
    equal("title", read.output.title.as_deref(), Some("Tides"))?;
    equal(
        "summary",
        read.output.summary.as_deref(),
        Some("Neither *high* nor low"),
    )?;
    equal("count", read.output.annotations_count, 1)?;
    let annotations = of_hello(client).list_annotations(created.id).per_page(1).send().await?;
    equal("path", annotations[0].path.as_str(), "README.md")?;
    equal("lines", [annotations[0].start_line, annotations[0].end_line], [3, 3])?;
    equal("level", annotations[0].annotation_level.as_deref(), Some("warning"))?;
    equal("message", annotations[0].message.as_deref(), Some("Ships need water"))?;

    let page = of_hello(client)
        .list_check_runs_for_git_ref(Commitish::from("main"))
        .per_page(1)
        .page(2u32)
        .send()
        .await?;
    equal("total", page.total_count, 12)?;
    equal("page", page.check_runs.len(), 1)?;
    let of_branch = client
        .commits(OWNER, "hello")
        .associated_check_runs(main_branch())
        .send()
        .await?;
    let names = sorted(&of_branch.check_runs, |one| one.name.clone());
    // The jobs of workflow runs have check runs, too.
    let jobs = [
        "build",
        "decided",
        "deleted",
        "forgotten",
        "rerun",
        "rerun-failed",
        "rerun-job",
        "reviewed",
        "test",
    ];
    let others: Vec<_> = names.iter().filter(|name| !jobs.contains(&name.as_str())).collect();
    equal("names", others, ["links", "spelling", "tides"])?;
    let suites = of_hello(client)
        .list_check_suites_for_git_ref(Commitish::from("main"))
        .check_name("tides")
        .send()
        .await?;
    let of_suite = of_hello(client)
        .list_check_runs_in_a_check_suite(suites.check_suites[0].id)
        .check_name("tides")
        .status(CheckRunStatus::Completed)
        .send()
        .await?;
    equal("of the suite", of_suite.check_runs[0].id, created.id)?;
    of_hello(&app).rerequest_check_run(created.id).send().await?;
    // Only apps write check runs.
    let refused = of_hello(client)
        .create_check_run("tides", fixture("COMMIT"))
        .send()
        .await;
    status(403, refused)
}

pub async fn check_suites(client: &Octocrab) -> Outcome {
    let app = with_token("buoy");
    let created = of_hello(&app).create_check_suite(fixture("CLASH")).send().await?;
    equal("commit", created.head_sha, fixture("CLASH"))?;
    equal("branch", created.head_branch.as_deref(), Some("clash"))?;
    equal(
        "repository",
        created.repository.full_name.as_deref(),
        Some("harbor/hello"),
    )?;
    recent("created", created.created_at)?;
    let read = of_hello(client).get_check_suite(created.id).send().await?;
    equal("message", read.head_commit.message.trim_end(), "Write another manual")?;
    equal("conclusion", read.conclusion.is_none(), true)?;
    let listed = of_hello(client)
        .list_check_suites_for_git_ref(Commitish::from("clash"))
        .app_id(APP)
        .per_page(1)
        .send()
        .await?;
    equal("total", listed.total_count, 1)?;
    equal("listed", listed.check_suites[0].id, created.id)?;
    let of_another_app = of_hello(client)
        .list_check_suites_for_git_ref(Commitish::from("clash"))
        .app_id(1u64)
        .send()
        .await?;
    equal("of another app", of_another_app.total_count, 0)?;
    let off = AutoTriggerCheck {
        app_id: APP.into(),
        setting: false,
    };
    let set = of_hello(client).update_preferences(vec![off.clone()]).send().await?;
    equal("preferences", set.preferences.auto_trigger_checks, [off])?;
    of_hello(&app).rerequest_check_suite(created.id).send().await?;
    let queued = of_hello(client).get_check_suite(created.id).send().await?;
    equal("status", queued.status.as_deref(), Some("queued"))
}
