"""PyGithub calls releases, runs, secrets, deployments and custom properties."""

import hashlib
import io

from github.OrganizationCustomProperty import CustomProperty

from pygithub_support import client, equal, group, harbor, head, hello, olive, sorted_names, status

from pygithub_issues import recent
from pygithub_pulls import branch

piers = client("piers").get_repo("harbor/hello")
# rosa has used up her writes of a minute.
skiffs = client("otto").get_user().create_repo("skiffs", auto_init=True)


def merged(name, label=None):
    """Merges a pull request with a new file, and returns the lines of notes that it stands for."""
    oid = branch(name, skiffs)
    pull = skiffs.create_pull("main", name, title=f"Add {name}")
    if label is not None:
        pull.add_to_labels(label)
    pull.merge(merge_method="squash", sha=oid)
    return f"* Add {name} by @otto in {pull.html_url}"


@group
def releases():
    found = {one.tag_name: one for one in hello.get_releases()}
    equal((sorted(found), found["v1"].name, found["v0.1"].draft), (["v0.1", "v1"], "First", True))
    first = hello.get_latest_release()
    equal((first.tag_name, first.body, first.author.login), ("v1", "Greets *every* ship.", "olive"))
    equal(sorted_names(first.get_assets()), ["greet.txt", "spare.txt"])
    equal((hello.get_release("v1").id, hello.get_release(first.id).tag_name), (first.id, "v1"))
    equal(status(lambda: hello.get_release("v9").id), 404)
    equal(sorted(one.tag_name for one in client("nell").get_repo("harbor/hello").get_releases()), ["v1"])


@group
def generated_notes():
    skiffs.create_file(
        ".github/release.yml",
        "Sort the notes",
        "changelog:\n  exclude:\n    labels: [oak rot]\n  categories:\n    - title: Leaks\n      labels: [leak]\n"
        "    - title: All else\n      labels: ['*']\n",
    )
    skiffs.create_git_release("v0.9", name="Before", message="Not yet", target_commitish="main", prerelease=True)
    skiffs.create_label("leak", "0066cc")
    skiffs.create_label("oak rot", "8b4513")
    leak, oars = merged("pump", "leak"), merged("thwart")
    merged("worm", "oak rot")
    first = f"* @otto made their first contribution in {leak.rpartition(' ')[2]}"
    compare = f"**Full Changelog**: {skiffs.html_url}/compare/v0.9...v1.0"
    notes = skiffs.generate_release_notes("v1.0", previous_tag_name="v0.9", target_commitish="main")
    lines = [line for line in notes.body.splitlines() if line.startswith(("##", "*"))]
    equal(lines, ["## What's Changed", "### Leaks", leak, "### All else", oars, "## New Contributors", first, compare])
    equal((notes.name, notes.body.endswith(f"\n\n{compare}")), ("v1.0", True))
    made = skiffs.create_git_release(
        "v1.0", name="Afloat", message="She floats.", target_commitish="main", generate_release_notes=True
    )
    equal((made.name, made.body), ("Afloat", f"She floats.\n\n{notes.body}"))
    recent(made.published_at)
    equal(skiffs.get_latest_release().id, made.id)
    tag = skiffs.get_git_ref("tags/v1.0")
    equal(tag.object.sha, skiffs.get_branch("main").commit.sha)
    edited = made.update_release("Afloat again", "Still.", prerelease=True)
    equal((edited.name, edited.body, edited.prerelease), ("Afloat again", "Still.", True))
    equal(status(lambda: skiffs.create_git_release("v1.0", name="Twice", message="")), 422)
    draft = skiffs.create_git_release("v2.0", name="Next", message="", draft=True)
    equal((draft.draft, draft.published_at, status(lambda: skiffs.get_git_ref("tags/v2.0").ref)), (True, None, 404))
    draft.delete_release()
    equal(sorted(one.tag_name for one in skiffs.get_releases()), ["v0.9", "v1.0"])


@group
def release_assets():
    release = skiffs.get_release("v1.0")
    content = bytes(range(256)) * 1_000
    made = release.upload_asset_from_memory(io.BytesIO(content), len(content), "hull.bin", "application/x-hull", "A hull")
    equal((made.name, made.label, made.size, made.content_type), ("hull.bin", "A hull", len(content), "application/x-hull"))
    equal((made.state, made.uploader.login, made.download_count), ("uploaded", "otto", 0))
    equal(made.raw_data["digest"], f"sha256:{hashlib.sha256(content).hexdigest()}")
    status_code, _, chunks = made.download_asset(chunk_size=4_096)
    equal((status_code, b"".join(chunks) == content), (200, True))
    equal(made.update_asset("boat.bin", "A boat").name, "boat.bin")
    equal(status(lambda: release.upload_asset_from_memory(io.BytesIO(b"1"), 1, "boat.bin")), 422)
    (read,) = release.get_assets()
    equal((read.name, read.label, read.download_count), ("boat.bin", "A boat", 1))
    equal((skiffs.get_release_asset(read.id).size, read.delete_asset()), (len(content), True))
    equal(list(release.get_assets()), [])


@group
def workflow_runs():
    (ci,) = hello.get_workflows()
    equal((ci.name, ci.path, ci.state), ("CI", ".github/workflows/ci.yml", "active"))
    equal(hello.get_workflow("ci.yml").id, ci.id)
    run = hello.get_workflow_run(7)
    equal((run.name, run.conclusion, run.head_sha, run.run_attempt), ("CI", "failure", head, 1))
    equal((run.event, run.head_branch, run.actor.login), ("push", "main", "olive"))
    build, test = run.jobs()
    equal((build.name, build.conclusion, test.conclusion), ("build", "success", "failure"))
    equal([(step.name, step.number, step.conclusion) for step in build.steps], [("greet", 1, "success")])
    equal((hello.get_workflow_job(build.id).run_id, build.labels), (7, ["ubuntu-latest"]))
    assert run.timing() is not None
    equal(run.get_attempt(1).id, 7)
    failed = {one.id for one in hello.get_workflow_runs(status="failure")}
    equal(failed, {7, 8, 9, 10})
    equal({one.id for one in ci.get_runs(branch="main", status="failure")}, failed)
    equal(hello.get_workflow_run(8).rerun(), True)
    equal((hello.get_workflow_run(8).status, hello.get_workflow_run(8).run_attempt), ("queued", 2))
    equal([one.status for one in hello.get_workflow_run(8).jobs()], ["queued"])
    equal({one.conclusion for one in hello.get_workflow_run(8).jobs("all")}, {None, "failure"})
    equal(hello.get_workflow_run(9).rerun_failed_jobs(), True)
    equal((hello.get_workflow_run(11).cancel(), hello.get_workflow_run(11).status), (True, "completed"))
    equal((hello.get_workflow_run(14).delete(), status(lambda: hello.get_workflow_run(14).id)), (True, 404))


@group
def dispatches():
    ci = hello.get_workflow("ci.yml")
    equal(ci.create_dispatch("main"), True)
    run = ci.create_dispatch("main", return_run_details=True)
    read = hello.get_workflow_run(run.id)
    equal((read.event, read.status, read.actor.login), ("workflow_dispatch", "queued", "olive"))
    equal((ci.disable(), hello.get_workflow("ci.yml").state), (True, "disabled_manually"))
    equal(ci.create_dispatch("main"), False)
    equal((ci.enable(), hello.get_workflow("ci.yml").state), (True, "active"))
    equal(hello.create_repository_dispatch("tide", {"height": 3}), True)


def absent_after(delete, read):
    delete()
    equal(status(read), 404)


@group
def secrets():
    made = skiffs.create_secret("CANARY", "py-canary-repository")
    equal(made.name, "CANARY")
    read = skiffs.get_secret("CANARY")
    recent(read.updated_at)
    equal("canary" in str(read.raw_data), False)
    equal(sorted_names(skiffs.get_secrets()), ["CANARY"])
    made = harbor.create_secret("PY_CANARY", "py-canary-organization", "selected", [hello])
    equal((made.visibility, [one.full_name for one in made.selected_repositories]), ("selected", ["harbor/hello"]))
    empty = olive.get_repo("harbor/empty")
    equal((made.add_repo(empty), sorted_names(made.selected_repositories)), (True, ["empty", "hello"]))
    equal((made.remove_repo(empty), sorted_names(made.selected_repositories)), (True, ["hello"]))
    equal((made.edit("py-canary-again", "all"), harbor.get_secret("PY_CANARY").visibility), (True, "all"))
    equal("PY_CANARY" in sorted_names(harbor.get_secrets()), True)
    absent_after(made.delete, lambda: harbor.get_secret("PY_CANARY").name)
    absent_after(lambda: skiffs.delete_secret("CANARY"), lambda: skiffs.get_secret("CANARY").name)


@group
def variables():
    made = skiffs.create_variable("WOOD", "oak")
    equal((made.value, skiffs.get_variable("WOOD").value), ("oak", "oak"))
    equal((made.edit("elm"), [(one.name, one.value) for one in skiffs.get_variables()]), (True, [("WOOD", "elm")]))
    equal(status(lambda: skiffs.create_variable("WOOD", "ash")), 409)
    absent_after(lambda: skiffs.delete_variable("WOOD"), lambda: skiffs.get_variable("WOOD").value)
    made = harbor.create_variable("PY_TIDE", "high", "selected", [hello])
    equal((made.value, sorted_names(harbor.get_variable("PY_TIDE").selected_repositories)), ("high", ["hello"]))
    empty = olive.get_repo("harbor/empty")
    equal((made.add_repo(empty), sorted_names(made.selected_repositories)), (True, ["empty", "hello"]))
    equal((made.remove_repo(empty), sorted_names(made.selected_repositories)), (True, ["hello"]))
    equal((made.edit("low", "all"), harbor.get_variable("PY_TIDE").value), (True, "low"))
    equal("PY_TIDE" in sorted_names(harbor.get_variables()), True)
    absent_after(made.delete, lambda: harbor.get_variable("PY_TIDE").value)


@group
def environments():
    equal(sorted_names(hello.get_environments()), ["approval", "gate", "production", "review", "staging"])
    production = hello.get_environment("production")
    equal(
        [(one.type, one.wait_timer) for one in production.protection_rules if one.type == "wait_timer"], [("wait_timer", 10)]
    )
    made = skiffs.create_environment("sea", wait_timer=5)
    equal((made.name, [one.wait_timer for one in made.protection_rules]), ("sea", [5]))
    made.create_secret("CANARY", "py-canary-environment")
    equal((made.get_secret("CANARY").name, sorted_names(made.get_secrets())), ("CANARY", ["CANARY"]))
    variable = made.create_variable("WOOD", "oak")
    equal((variable.value, variable.edit("elm"), made.get_variable("WOOD").value), ("oak", True, "elm"))
    equal([one.value for one in made.get_variables()], ["elm"])
    absent_after(lambda: made.delete_variable("WOOD"), lambda: made.get_variable("WOOD").value)
    absent_after(lambda: made.delete_secret("CANARY"), lambda: made.get_secret("CANARY").name)
    absent_after(lambda: skiffs.delete_environment("sea"), lambda: skiffs.get_environment("sea").name)


@group
def deployments():
    made = piers.create_deployment(
        "main", environment="review", required_contexts=[], payload={"by": "PyGithub"}, description="Try it", auto_merge=False
    )
    equal((made.sha, made.environment, made.description, made.creator.login), (head, "review", "Try it", "piers"))
    equal((made.payload, made.task, made.transient_environment), ({"by": "PyGithub"}, "deploy", False))
    one = made.create_status("in_progress", target_url="https://ci.example.com/9", description="On its way")
    equal((one.state, one.description, one.environment), ("in_progress", "On its way", "review"))
    made.create_status("success", environment_url="https://review.example.com")
    equal([each.state for each in made.get_statuses()], ["success", "in_progress"])
    equal(made.get_status(one.id).log_url, "https://ci.example.com/9")
    equal([each.id for each in hello.get_deployments(environment="review")], [made.id])
    equal(hello.get_deployment(made.id).description, "Try it")
    equal(status(lambda: piers.create_deployment("none")), 422)


@group
def properties():
    equal(sorted(one.property_name for one in harbor.get_custom_properties()), ["doomed", "tier"])
    made = harbor.create_custom_property(CustomProperty("wood", "single_select", allowed_values=["oak", "elm"]))
    equal((made.property_name, made.allowed_values, made.required), ("wood", ["oak", "elm"], False))
    harbor.create_custom_properties([CustomProperty("flag", "true_false", required=True, default_value="true")])
    equal(harbor.get_custom_property("flag").default_value, "true")
    harbor.create_custom_property_values(["empty"], {"wood": "elm"})
    values = {one.repository_name: one.properties for one in harbor.list_custom_property_values()}
    equal((values["empty"]["wood"], values["hello"]["tier"]), ("elm", "gold"))
    hello.update_custom_properties({"wood": "oak"})
    equal(hello.get_custom_properties(), {"flag": "true", "tier": "gold", "wood": "oak"})
    for name in ("wood", "flag"):
        harbor.remove_custom_property(name)
    equal(status(lambda: harbor.get_custom_property("wood").value_type), 404)


@group
def apps():
    equal((olive.get_app("buoy").id, olive.get_app("buoy").owner.login), (9, "piers"))
    equal(sorted(one.id for one in harbor.get_installations()), [90, 94])
