"""PyGithub calls the groups of issues. The fixture's issue 1 has the sub-issues 3, 2 and 8."""

from datetime import date, datetime, timezone

import github

from pygithub_support import client, equal, group, harbor, hello, me, olive, sorted_names, status


def new_issue(title):
    return hello.create_issue(
        title, body="By **PyGithub**", labels=["bug", "question"], assignees=["piers"], milestone=hello.get_milestone(1)
    )


def recent(at):
    assert abs((datetime.now(timezone.utc) - at).total_seconds()) < 600, at


@group
def issues():
    issue = new_issue("Py ashore")
    equal((issue.title, issue.body, issue.state), ("Py ashore", "By **PyGithub**", "open"))
    equal((issue.user.login, sorted_names(issue.labels), issue.assignees[0].login), ("olive", ["bug", "question"], "piers"))
    equal((issue.milestone.title, issue.closed_at), ("Before winter", None))
    recent(issue.created_at)
    recent(issue.updated_at)
    issue.edit(state="closed", state_reason="not_planned", title="Py at sea", milestone=None)
    closed = hello.get_issue(issue.number)
    equal((closed.title, closed.state, closed.state_reason), ("Py at sea", "closed", "not_planned"))
    equal((closed.closed_by.login, closed.milestone), ("olive", None))
    recent(closed.closed_at)
    issue.lock("resolved")
    locked = hello.get_issue(issue.number)
    equal((locked.locked, locked.active_lock_reason), (True, "resolved"))
    issue.unlock()
    equal(hello.get_issue(issue.number).locked, False)
    numbers = [one.number for one in hello.get_issues(state="all", sort="created", direction="desc")]
    equal((numbers[0], numbers[-1]), (issue.number, 1))
    chosen = hello.get_issues(labels=["bug", "question"], milestone=hello.get_milestone(1), creator=olive.get_user("piers"))
    equal([one.number for one in chosen], [1])
    mine = list(harbor.get_issues(filter="assigned"))
    equal([(one.number, one.repository.full_name) for one in mine], [(1, "harbor/hello")])
    equal([one.number for one in me.get_issues(filter="created", state="closed", sort="created")], [issue.number, 3])
    equal(list(me.get_user_issues()), [])
    equal(issue.type, None)
    equal(hello.get_issue(1).type.name, "Task")
    equal(status(lambda: hello.get_issue(999).title), 404)
    equal(status(lambda: hello.get_issue(7).title), 410)
    found = olive.search_issues("greet repo:harbor/hello is:open", sort="created", order="asc")
    equal((found.totalCount, [one.number for one in found]), (2, [2, 5]))
    equal(found[1].user.login, "piers")


@group
def issue_comments():
    issue = new_issue("Comments of PyGithub")
    first = issue.create_comment("First")
    second = issue.create_comment("Second")
    equal((first.body, first.user.login, first.author_association), ("First", "olive", "MEMBER"))
    recent(first.created_at)
    first.edit("Third")
    equal(issue.get_comment(first.id).body, "Third")
    equal(sorted_names(issue.get_comments(), "body"), ["Second", "Third"])
    second.delete()
    equal(status(lambda: issue.get_comment(second.id).body), 404)
    equal(next(iter(hello.get_issues_comments(sort="created", direction="desc"))).id, first.id)
    equal(hello.get_issue(issue.number).comments, 1)


@group
def issue_events():
    issue = new_issue("Events of PyGithub")
    issue.edit(title="Renamed by PyGithub")
    event = list(issue.get_events())[-1]
    equal((event.event, event.rename["from"], event.actor.login), ("renamed", "Events of PyGithub", "olive"))
    recent(event.created_at)
    equal(hello.get_issues_event(event.id).issue.number, issue.number)
    equal(next(iter(hello.get_issues_events())).id, event.id)
    issue.create_comment("Commented")
    timeline = {one.event: one for one in issue.get_timeline()}
    equal((timeline["commented"].body, timeline["renamed"].id), ("Commented", event.id))
    assert {"labeled", "assigned", "milestoned"} <= set(timeline), timeline


@group
def assignees():
    issue = new_issue("Assignees of PyGithub")
    equal(sorted_names(hello.get_assignees(), "login"), ["finn", "greta", "hugo", "olive", "piers"])
    equal((hello.has_in_assignees("piers"), hello.has_in_assignees("nell")), (True, False))
    issue.add_to_assignees("olive")
    equal(sorted_names(issue.assignees, "login"), ["olive", "piers"])
    issue.remove_from_assignees("piers")
    equal((issue.assignee.login, sorted_names(issue.assignees, "login")), ("olive", ["olive"]))


@group
def labels():
    issue = new_issue("Labels of PyGithub")
    label = hello.create_label("py/größe", "3776ab", "Big")
    equal((label.color, label.description), ("3776ab", "Big"))
    label.edit("pö", "ffd43b")
    equal((hello.get_label("pö").color, hello.get_label("pö").description), ("ffd43b", "Big"))
    equal(len(list(hello.get_labels())), 10)
    issue.add_to_labels("pö")
    equal(sorted_names(issue.get_labels()), ["bug", "pö", "question"])
    issue.remove_from_labels("bug")
    equal(sorted_names(issue.get_labels()), ["pö", "question"])
    assert "pö" in sorted_names(hello.get_milestone(1).get_labels())
    issue.set_labels("pö")
    equal(sorted_names(hello.get_issue(issue.number).labels), ["pö"])
    issue.delete_labels()
    equal(hello.get_issue(issue.number).labels, [])
    label.delete()
    equal(status(lambda: hello.get_label("pö").color), 404)


@group
def milestones():
    milestone = hello.create_milestone("By PyGithub", description="Soon", due_on=date(2030, 3, 4))
    equal((milestone.creator.login, milestone.state), ("olive", "open"))
    equal(milestone.due_on.date(), date(2030, 3, 4))
    recent(milestone.created_at)
    milestone.edit("By PyGithub", state="closed", due_on=date(2030, 4, 5))
    read = hello.get_milestone(milestone.number)
    equal((read.description, read.state, read.due_on.date()), ("Soon", "closed", date(2030, 4, 5)))
    equal(sorted_names(hello.get_milestones(state="closed"), "title"), ["By PyGithub", "To be deleted"])
    milestone.delete()
    equal(status(lambda: hello.get_milestone(milestone.number).title), 404)


@group
def sub_issues():
    parent = hello.get_issue(1)

    def children():
        return [one.number for one in parent.get_sub_issues()]

    equal(children(), [3, 2, 8])
    fifth = hello.get_issue(5)
    parent.add_sub_issue(fifth)
    parent.prioritize_sub_issue(fifth, hello.get_issue(3))
    equal(children(), [3, 5, 2, 8])
    equal(hello.get_issue(1).sub_issues_summary.total, 4)
    parent.remove_sub_issue(fifth)
    equal(children(), [3, 2, 8])


@group
def issue_dependencies():
    second, fifth = hello.get_issue(2), hello.get_issue(5)
    equal([one.number for one in second.get_blocked_by()], [3])
    equal([one.number for one in hello.get_issue(3).get_blocking()], [2])
    second.add_blocked_by(fifth)
    equal((second.number, hello.get_issue(2).issue_dependencies_summary.total_blocked_by), (2, 2))
    second.remove_blocked_by(fifth)
    equal([one.title for one in second.get_blocked_by()], ["Ask the harbor"])


@group
def reactions():
    # A second account, because the forge limits the writes of an account in a minute.
    piers = client("piers")
    seen = piers.get_repo("harbor/hello")
    issue = seen.get_issue(new_issue("Reactions of PyGithub").number)
    review = piers.create_from_raw_data(github.PullRequest.PullRequest, {"url": f"{hello.url}/pulls/4"})
    for subject in [issue, issue.create_comment("Ahoy"), seen.get_comment(11), review.get_review_comment(21)]:
        made = subject.create_reaction("rocket")
        equal((made.content, made.user.login), ("rocket", "piers"))
        recent(made.created_at)
        assert made.id in [one.id for one in subject.get_reactions()]
        equal(subject.delete_reaction(made.id), True)
        assert made.id not in [one.id for one in subject.get_reactions()]
    equal(hello.get_issue(1).reactions["+1"], 1)
