//! Issues and everything that belongs to them. The fixture's issue 1 has the sub-issues 3, 2 and 8, with the ids 2, 3
//! and 5.

use crate::{OWNER, Outcome, equal, hello, recent, sorted, status};
use chrono::{TimeZone, Utc};
use octocrab::{
    Octocrab,
    issues::IssueHandler,
    models::{
        IssueState, Label,
        issues::{Issue, IssueStateReason, SubIssuePriority},
        reactions::ReactionContent,
    },
    params::{Direction, LockReason, State, issues as parameters},
};
use serde_json::json;

fn of_hello(client: &Octocrab) -> IssueHandler<'_> {
    client.issues(OWNER, "hello")
}

/// Creates an issue without a milestone: octocrab cannot read the events of milestones, which have only a title.
async fn create_plain(client: &Octocrab, title: &str) -> octocrab::Result<Issue> {
    of_hello(client)
        .create(title)
        .labels(vec!["bug".to_string(), "question".to_string()])
        .assignees(vec!["piers".to_string()])
        .send()
        .await
}

async fn create(client: &Octocrab, title: &str) -> octocrab::Result<Issue> {
    of_hello(client)
        .create(title)
        .body("By **octocrab**")
        .labels(vec!["bug".to_string(), "question".to_string()])
        .assignees(vec!["piers".to_string()])
        .milestone(1)
        .send()
        .await
}

fn names(labels: &[Label]) -> Vec<String> {
    sorted(labels, |one| one.name.clone())
}

fn numbers(issues: &[Issue]) -> Vec<u64> {
    issues.iter().map(|one| one.number).collect()
}

pub async fn issues(client: &Octocrab) -> Outcome {
    let issue = create(client, "Rust ashore").await?;
    equal("body", issue.body.as_deref(), Some("By **octocrab**"))?;
    equal("state", issue.state, IssueState::Open)?;
    equal("author", issue.user.login, "olive")?;
    equal("labels", names(&issue.labels), ["bug", "question"])?;
    equal("assignee", issue.assignees[0].login.as_str(), "piers")?;
    equal(
        "milestone",
        issue.milestone.ok_or("no milestone")?.title,
        "Before winter",
    )?;
    recent("created", issue.created_at)?;
    recent("updated", issue.updated_at)?;
    of_hello(client)
        .update(issue.number)
        .title("Rust at sea")
        .state(IssueState::Closed)
        .state_reason(IssueStateReason::NotPlanned)
        .send()
        .await?;
    let closed = of_hello(client).get(issue.number).await?;
    equal("title", closed.title, "Rust at sea")?;
    equal("reason", closed.state_reason, Some(IssueStateReason::NotPlanned))?;
    equal("closed by", closed.closed_by.ok_or("no user")?.login, "olive")?;
    recent("closed", closed.closed_at.ok_or("no date")?)?;

    equal(
        "lock",
        of_hello(client).lock(issue.number, LockReason::Resolved).await?,
        true,
    )?;
    let locked = of_hello(client).get(issue.number).await?;
    equal("locked", locked.locked, true)?;
    equal("reason", locked.active_lock_reason.as_deref(), Some("resolved"))?;
    equal("unlock", of_hello(client).unlock(issue.number).await?, true)?;
    // Without a reason, octocrab sends no body.
    equal(
        "lock without a reason",
        of_hello(client).lock(issue.number, None).await?,
        true,
    )?;
    equal("unlock again", of_hello(client).unlock(issue.number).await?, true)?;

    let page = of_hello(client)
        .list()
        .state(State::All)
        .sort(parameters::Sort::Created)
        .direction(Direction::Descending)
        .per_page(1)
        .send()
        .await?;
    let all = numbers(&client.all_pages(page).await?);
    equal("first and last", [all[0], all[all.len() - 1]], [issue.number, 1])?;
    let chosen = of_hello(client).list().milestone(1u64).creator("piers").send().await?;
    equal("chosen", numbers(&chosen.items), [1])?;
    let assigned = client
        .orgs(OWNER)
        .list_issues()
        .filter(parameters::IssueFilter::Assigned)
        .send()
        .await?;
    equal("of the organization", numbers(&assigned.items), [1])?;
    let involving = client
        .current()
        .list_all_issues()
        .filter(parameters::IssueFilter::Created)
        .state(State::Closed)
        .send()
        .await?;
    equal("involving", numbers(&involving.items), [issue.number, 3])?;
    equal(
        "own",
        client
            .current()
            .list_issues_for_authenticated_user()
            .send()
            .await?
            .items
            .len(),
        0,
    )?;
    status(404, of_hello(client).get(999).await)?;
    status(410, of_hello(client).get(7).await)
}

pub async fn search(client: &Octocrab) -> Outcome {
    let found = client
        .search()
        .issues_and_pull_requests("greet repo:harbor/hello is:open")
        .sort("created")
        .order("asc")
        .per_page(1)
        .send()
        .await?;
    equal("total", found.total_count, Some(2))?;
    let items = client.all_pages(found).await?;
    equal("numbers", numbers(&items), [2, 5])?;
    equal("author", items[1].user.login.as_str(), "piers")
}

pub async fn comments(client: &Octocrab) -> Outcome {
    let number = create(client, "Comments of octocrab").await?.number;
    let first = of_hello(client).create_comment(number, "First").await?;
    let second = of_hello(client).create_comment(number, "Second").await?;
    equal("author", first.user.login, "olive")?;
    recent("created", first.created_at)?;
    // octocrab sends POST instead of PATCH.
    status(405, of_hello(client).update_comment(first.id, "Third").await)?;
    equal(
        "body",
        of_hello(client).get_comment(first.id).await?.body.as_deref(),
        Some("First"),
    )?;
    let page = of_hello(client).list_comments(number).per_page(1).send().await?;
    let bodies = sorted(&client.all_pages(page).await?, |one| {
        one.body.clone().unwrap_or_default()
    });
    equal("bodies", bodies, ["First", "Second"])?;
    equal(
        "pinned",
        of_hello(client).pin_comment(first.id).await?.pin.is_some(),
        true,
    )?;
    of_hello(client).unpin_comment(first.id).await?;
    equal(
        "unpinned",
        of_hello(client).get_comment(first.id).await?.pin.is_none(),
        true,
    )?;
    of_hello(client).delete_comment(second.id).await?;
    status(404, of_hello(client).get_comment(second.id).await)?;
    let latest = of_hello(client)
        .list_issue_comments()
        .sort(parameters::Sort::Created)
        .direction(Direction::Descending)
        .send()
        .await?;
    equal("of all issues", latest.items[0].id, first.id)
}

pub async fn events(client: &Octocrab) -> Outcome {
    let number = create_plain(client, "Events of octocrab").await?.number;
    of_hello(client).update(number).state(IssueState::Closed).send().await?;
    of_hello(client).create_comment(number, "Commented").await?;
    let page = of_hello(client)
        .list_events_for_issue(number)
        .per_page(1)
        .send()
        .await?;
    let events = client.all_pages(page).await?;
    let closed = events.last().ok_or("no event")?;
    equal(
        "event",
        format!("{:?}", closed.event.as_ref().ok_or("no event")?),
        "Closed",
    )?;
    equal("actor", closed.actor.login.as_str(), "olive")?;
    recent("created", closed.created_at)?;
    let id = closed.id.ok_or("no id")?;
    equal("id", of_hello(client).get_issue_event(id).await?.id, Some(id))?;
    equal(
        "latest",
        of_hello(client).list_issue_events().per_page(1).send().await?.items[0].id,
        Some(id),
    )?;
    let timeline = of_hello(client).list_timeline_events(number).send().await?.items;
    equal("items", timeline.len(), events.len() + 1)?;
    let commented = timeline.iter().find(|one| one.body.is_some()).ok_or("no comment")?;
    equal("body", commented.body.as_deref(), Some("Commented"))?;
    equal(
        "user",
        commented.user.as_ref().ok_or("no user")?.login.as_str(),
        "olive",
    )
}

pub async fn assignees(client: &Octocrab) -> Outcome {
    let number = create(client, "Assignees of octocrab").await?.number;
    let page = of_hello(client).list_assignees().per_page(1).send().await?;
    let logins = sorted(&client.all_pages(page).await?, |one| one.login.clone());
    equal("logins", logins, ["finn", "greta", "hugo", "olive", "piers"])?;
    equal("member", of_hello(client).check_assignee("piers").await?, true)?;
    equal("no member", of_hello(client).check_assignee("nell").await?, false)?;
    equal(
        "of the issue",
        of_hello(client).check_assignee_for_issue(number, "olive").await?,
        true,
    )?;
    let added = of_hello(client).add_assignees(number, &["olive"]).await?;
    equal(
        "added",
        sorted(&added.assignees, |one| one.login.clone()),
        ["olive", "piers"],
    )?;
    let removed = of_hello(client).remove_assignees(number, &["piers"]).await?;
    equal("removed", removed.assignee.ok_or("no assignee")?.login, "olive")
}

pub async fn labels(client: &Octocrab) -> Outcome {
    let number = create(client, "Labels of octocrab").await?.number;
    let label = of_hello(client).create_label("rust/one", "dea584", "Big").await?;
    equal("color", label.color, "dea584")?;
    let renamed = of_hello(client)
        .update_label("rust/one", "rusty", "dea585", "Small")
        .await?;
    equal("name", renamed.name, "rusty")?;
    let read = of_hello(client).get_label("rusty").await?;
    equal("description", read.description.as_deref(), Some("Small"))?;
    equal("default", of_hello(client).get_label("bug").await?.default, true)?;
    let page = of_hello(client).list_labels_for_repo().per_page(1).send().await?;
    equal("count", client.all_pages(page).await?.len(), 10)?;
    let rusty = ["rusty".to_string()];
    equal(
        "added",
        names(&of_hello(client).add_labels(number, &rusty).await?),
        ["bug", "question", "rusty"],
    )?;
    equal(
        "removed",
        names(&of_hello(client).remove_label(number, "bug").await?),
        ["question", "rusty"],
    )?;
    equal(
        "of the milestone",
        names(&of_hello(client).list_labels_for_milestone(1).send().await?.items),
        ["bug", "question", "rusty"],
    )?;
    equal(
        "replaced",
        names(&of_hello(client).replace_all_labels(number, &rusty).await?),
        ["rusty"],
    )?;
    equal(
        "of the issue",
        names(&of_hello(client).list_labels_for_issue(number).send().await?.items),
        ["rusty"],
    )?;
    of_hello(client).remove_all_labels(number).await?;
    equal("without", of_hello(client).get(number).await?.labels.len(), 0)?;
    of_hello(client).delete_label("rusty").await?;
    status(404, of_hello(client).get_label("rusty").await)
}

pub async fn milestones(client: &Octocrab) -> Outcome {
    let due = Utc.with_ymd_and_hms(2030, 3, 4, 8, 0, 0).single().ok_or("no date")?;
    let milestone = of_hello(client)
        .create_milestone("By octocrab")
        .description("Soon")
        .due_on(due)
        .send()
        .await?;
    equal("creator", milestone.creator.ok_or("no creator")?.login, "olive")?;
    equal("due", milestone.due_on, Some(due))?;
    recent("created", milestone.created_at)?;
    let number = milestone.number;
    let closed = of_hello(client)
        .update_milestone(number)
        .state(State::Closed)
        .send()
        .await?;
    recent("closed", closed.closed_at.ok_or("no date")?)?;
    equal(
        "description",
        of_hello(client).get_milestone(number).await?.description.as_deref(),
        Some("Soon"),
    )?;
    let page = of_hello(client)
        .list_milestones()
        .state(State::Closed)
        .per_page(1)
        .send()
        .await?;
    let titles = sorted(&client.all_pages(page).await?, |one| one.title.clone());
    equal("titles", titles, ["By octocrab", "To be deleted"])?;
    of_hello(client).delete_milestone(number).await?;
    status(404, of_hello(client).get_milestone(number).await)
}

pub async fn sub_issues(client: &Octocrab) -> Outcome {
    let children = async || -> octocrab::Result<Vec<u64>> {
        let page = of_hello(client).list_sub_issues(1).per_page(1).send().await?;
        Ok(numbers(&client.all_pages(page).await?))
    };
    equal("children", children().await?, [3, 2, 8])?;
    equal(
        "parent",
        of_hello(client).get_parent_issue(2).await?.title,
        "No ship answers",
    )?;
    equal(
        "added to",
        of_hello(client).add_sub_issue(1, 4.into(), None).await?.number,
        1,
    )?;
    of_hello(client)
        .reprioritize_sub_issue(1, 4.into(), SubIssuePriority::Before(3.into()))
        .await?;
    equal("order", children().await?, [3, 5, 2, 8])?;
    of_hello(client).remove_sub_issue(1, 4.into()).await?;
    status(404, of_hello(client).get_parent_issue(5).await)
}

pub async fn dependencies(client: &Octocrab) -> Outcome {
    let blockers = async || -> octocrab::Result<Vec<u64>> {
        Ok(numbers(
            &of_hello(client).list_dependencies_blocked_by(2).send().await?.items,
        ))
    };
    equal("blocked by", blockers().await?, [3])?;
    let blocking = of_hello(client).list_dependencies_blocking(3).send().await?;
    equal("blocking", numbers(&blocking.items), [2])?;
    of_hello(client).add_dependency_blocked_by(2, 4.into()).await?;
    equal("added", blockers().await?.len(), 2)?;
    of_hello(client).remove_dependency_blocked_by(2, 4.into()).await?;
    equal("removed", blockers().await?, [3])
}

pub async fn issue_types(client: &Octocrab) -> Outcome {
    let org = client.orgs(OWNER);
    let idea = json!({ "name": "Idea of octocrab", "is_enabled": true, "color": "green" });
    let created = org.issue_types().create(&idea).await?;
    let id = created.id.as_u64().ok_or("no id")?;
    let change = json!({ "name": "Idea of octocrab", "is_enabled": true, "description": "To think about" });
    let updated = org.issue_types().update(id, &change).await?;
    equal("description", updated.description.as_deref(), Some("To think about"))?;
    let types = sorted(&org.issue_types().list().await?, |one| one.name.clone());
    equal("types", types, ["Idea of octocrab", "Task", "To be deleted"])?;
    let of_repository = hello(client).issue_types().await?;
    let idea = of_repository.iter().find(|one| one.id == id).ok_or("no type")?;
    recent("created", idea.created_at.ok_or("no date")?)?;
    org.issue_types().delete(id).await?;
    Ok(())
}

pub async fn reactions(client: &Octocrab) -> Outcome {
    let rocket = || ReactionContent::Rocket;
    let number = create(client, "Reactions of octocrab").await?.number;
    let of_issue = of_hello(client).create_reaction(number, rocket()).await?;
    equal("content", of_issue.content, rocket())?;
    equal("user", of_issue.user.login, "piers")?;
    recent("created", of_issue.created_at)?;
    equal(
        "of the issue",
        of_hello(client).list_reactions(number).send().await?.items[0].id,
        of_issue.id,
    )?;
    of_hello(client).delete_reaction(number, of_issue.id).await?;
    equal(
        "left",
        of_hello(client).list_reactions(number).send().await?.items.len(),
        0,
    )?;

    let of_comment = of_hello(client).create_comment_reaction(1, rocket()).await?;
    let listed = of_hello(client).list_comment_reactions(1).send().await?.items;
    equal("of the comment", listed.iter().any(|one| one.id == of_comment.id), true)?;
    of_hello(client).delete_comment_reaction(1, of_comment.id).await?;

    let repo = hello(client);
    let comments = repo.comments();
    let of_commit = comments.create_reaction(11, rocket()).await?;
    let listed = comments.list_reactions(11).send().await?.items;
    equal(
        "of the commit comment",
        listed.iter().any(|one| one.id == of_commit.id),
        true,
    )?;
    comments.delete_reaction(11, of_commit.id).await?;

    let pulls = client.pulls(OWNER, "hello");
    let of_review = pulls.create_comment_reaction(21, rocket()).await?;
    let listed = pulls.comment(21.into()).list_reactions().send().await?.items;
    equal(
        "of the review comment",
        listed.iter().any(|one| one.id == of_review.id),
        true,
    )?;
    pulls.delete_comment_reaction(21, of_review.id).await?;
    Ok(())
}
