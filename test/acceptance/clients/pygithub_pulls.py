"""PyGithub calls pull requests, statuses and checks. The fixture's pull request 20 is open, and 23 is merged."""

import time
from datetime import datetime, timezone

from pygithub_support import client, equal, group, head, hello, names, sorted_names, status

from pygithub_issues import recent

rosa = client("rosa")
hulls = rosa.get_repo("yard/hulls")
piers = client("piers").get_repo("harbor/hello")
# The app of the fixture's checks, with the token of its installation.
buoy = client("buoy").get_repo("harbor/hello")


def branch(name, repository=hulls):
    """Creates a branch with a new file, and returns the id of its commit."""
    repository.create_git_ref(f"refs/heads/{name}", repository.get_git_ref("heads/main").object.sha)
    return repository.create_file(f"{name}.md", f"Add {name}", "oak\n", branch=name)["commit"].sha


def tested(repository, number):
    """Reads a pull request until it is known whether it can be merged."""
    for _ in range(200):
        pull = repository.get_pull(number)
        if pull.mergeable is not None:
            return pull
        time.sleep(0.1)
    raise AssertionError(f"{number} was not tested within 20 seconds")


@group
def pulls():
    every = hello.get_pulls(state="all", sort="created", direction="asc")
    equal([one.number for one in every], [20, 21, 22, 23])
    equal([one.number for one in hello.get_pulls()], [22, 21, 20])
    equal([one.number for one in hello.get_pulls(head="harbor:greet-danish", base="main")], [20])
    pull = tested(hello, 20)
    equal((pull.title, pull.body, pull.state, pull.draft), ("Danish ships", "They **hear** us", "open", False))
    equal((pull.user.login, pull.head.label, pull.base.ref), ("piers", "harbor:greet-danish", "main"))
    equal((pull.head.repo.full_name, pull.base.sha), ("harbor/hello", head))
    equal((pull.mergeable, pull.rebaseable, pull.mergeable_state, pull.merged), (True, True, "clean", False))
    equal((pull.commits, pull.additions, pull.deletions, pull.changed_files), (1, 1, 0, 1))
    equal([(one.sha, one.commit.message.strip()) for one in pull.get_commits()], [(pull.head.sha, "Greet in danish")])
    (file,) = pull.get_files()
    equal((file.filename, file.status, file.additions), ("src/danish.ts", "added", 1))
    equal(file.patch, "@@ -0,0 +1 @@\n+export const danish = 'ahoy'")
    equal((pull.is_merged(), pull.as_issue().pull_request.html_url), (False, pull.html_url))
    merged = hello.get_pull(23)
    equal((merged.state, merged.merged, merged.merged_by.login), ("closed", True, "piers"))
    equal((merged.merge_commit_sha, merged.is_merged()), (head, True))
    equal(status(lambda: hello.get_pull(1).title), 404)


@group
def pull_changes():
    oid = branch("rudder")
    made = hulls.create_pull("main", "yard:rudder", title="Add a rudder", body="By **PyGithub**", draft=True)
    equal((made.title, made.body, made.draft, made.head.sha), ("Add a rudder", "By **PyGithub**", True, oid))
    equal((made.user.login, made.author_association), ("rosa", "MEMBER"))
    recent(made.created_at)
    equal(tested(hulls, made.number).mergeable_state, "draft")
    equal(status(lambda: hulls.create_pull("main", "rudder", title="Again")), 422)
    equal(status(lambda: hulls.create_pull("main", "none", title="Nothing")), 422)
    hulls.create_git_ref("refs/heads/dock", made.base.sha)
    made.edit(title="Hang a rudder", body="Of oak", base="dock")
    equal((made.title, made.base.ref), ("Hang a rudder", "dock"))
    made.edit(state="closed")
    read = hulls.get_pull(made.number)
    equal((read.body, read.state, read.merged), ("Of oak", "closed", False))
    recent(read.closed_at)


@group
def merges():
    oid = branch("mast")
    branch("oar")
    mast = hulls.create_pull("main", "mast", title="Add a mast")
    oar = hulls.create_pull("main", "oar", title="Add an oar")
    equal(status(lambda: mast.merge(sha=head)), 409)
    result = mast.merge("With two sails", "Raise the mast", merge_method="squash", sha=oid)
    equal(result.merged, True)
    merged = hulls.get_pull(mast.number)
    equal((merged.state, merged.merged_by.login, merged.merge_commit_sha), ("closed", "rosa", result.sha))
    recent(merged.merged_at)
    commit = hulls.get_commit(result.sha)
    equal(commit.commit.message.strip(), "Raise the mast\n\nWith two sails")
    equal(status(lambda: mast.merge()), 405)
    equal([one.number for one in commit.get_pulls()], [mast.number])
    equal([(one.name, one.commit.sha) for one in commit.get_branches_where_head()], [("main", result.sha)])
    equal(oar.update_branch(expected_head_sha=oid), False)
    equal(oar.update_branch(), True)
    equal([len(one.parents) for one in oar.get_commits()], [1, 2])


@group
def statuses():
    commit = piers.get_commit(head)
    before = commit.get_combined_status()
    equal((before.state, before.sha, before.total_count), ("success", head, 1))
    equal(before.statuses[0].description, "All passed")
    made = commit.create_status("failure", "https://ci.example.com/2", "Shadowed", "py/lint")
    equal((made.state, made.context, made.description), ("failure", "py/lint", "Shadowed"))
    equal((made.creator.login, made.target_url), ("piers", "https://ci.example.com/2"))
    recent(made.created_at)
    found = list(commit.get_statuses())
    equal((found[0].id, sorted_names(found, "state")), (made.id, ["failure", "pending", "success"]))
    after = commit.get_combined_status()
    equal((after.state, after.total_count), ("failure", 2))
    equal(status(lambda: commit.create_status("lost")), 422)


@group
def check_runs():
    started = datetime.now(timezone.utc)
    run = buoy.create_check_run(
        "tides", head, "https://buoy.example.com/py", "py-1", status="in_progress", started_at=started
    )
    equal((run.status, run.conclusion, run.completed_at, run.app.slug), ("in_progress", None, None, "buoy"))
    equal((run.head_sha, run.details_url), (head, "https://buoy.example.com/py"))
    recent(run.started_at)
    remark = {"path": "README.md", "start_line": 1, "end_line": 1, "annotation_level": "warning", "message": "Low tide"}
    output = {"title": "Tides", "summary": "Neither *high* nor low", "text": "At noon", "annotations": [remark]}
    run.edit(conclusion="neutral", output=output)
    read = hello.get_check_run(run.id)
    equal((read.name, read.status, read.conclusion, read.external_id), ("tides", "completed", "neutral", "py-1"))
    equal((read.output.title, read.output.summary, read.output.annotations_count), ("Tides", output["summary"], 1))
    recent(read.completed_at)
    (annotation,) = read.get_annotations()
    equal({name: getattr(annotation, name) for name in remark}, remark)
    commit = hello.get_commit(head)
    jobs = ["build", "deleted", "forgotten", "rerun", "rerun-failed", "rerun-job", "test"]
    equal(sorted_names(commit.get_check_runs(status="completed")), sorted([*jobs, "spelling", "tides"]))
    (links,) = commit.get_check_runs(check_name="links", filter="all")
    equal((links.status, links.check_suite.id), ("queued", run.check_suite.id))
    suite = hello.get_check_suite(run.check_suite.id)
    equal(sorted_names(suite.get_check_runs()), ["links", "spelling", "tides"])
    equal(status(lambda: hello.create_check_run("tides", head)), 403)


@group
def check_suites():
    clash = names["{clash}"]
    made = buoy.create_check_suite(clash)
    equal((made.status, made.conclusion, made.head_branch, made.app.id), ("queued", None, "clash", 9))
    buoy.create_check_run("depth", clash, conclusion="success")
    read = hello.get_check_suite(made.id)
    equal((read.conclusion, read.latest_check_runs_count, read.head_sha), ("success", 1, clash))
    equal((read.repository.full_name, read.head_commit.message.strip()), ("harbor/hello", "Write another manual"))
    found = hello.get_commit("clash").get_check_suites(app_id=9, check_name="depth")
    equal([one.id for one in found], [made.id])
    equal((made.rerequest(), hello.get_check_suite(made.id).status), (True, "queued"))
    trigger = [{"app_id": 9, "setting": False}]
    equal(hello.update_check_suites_preferences(trigger).preferences, {"auto_trigger_checks": trigger})
