"""PyGithub calls each group of the contract that it has methods for, and checks the values of the answers.

Reads from stdin: url, names (ids that git decided) and operations with their HTTP method and path. Prints the version,
the operations without a method, and a problem for each group that failed.
"""

import inspect
import io
import json
import pkgutil
import re
import tarfile
import traceback
import zipfile
from importlib import import_module
from importlib.metadata import version
from urllib.request import urlopen

import github
from github import InputGitAuthor, InputGitTreeElement
from github.Installation import Installation
from github.WorkflowRun import WorkflowRun

from pygithub_support import (
    blob,
    client,
    equal,
    git_id,
    given,
    group,
    groups,
    harbor,
    head,
    hello,
    me,
    names,
    olive,
    parent,
    sorted_names,
    status,
    tag,
    tree,
)


@group
def rate_limit():
    overview = olive.get_rate_limit()
    equal(overview.resources.core.limit, 5000)
    equal(olive.rate_limiting[1], 5000)


@group
def users():
    equal(me.login, "olive")
    equal(olive.get_user("piers").name, "Piers Quay")
    equal(status(lambda: olive.get_user("nobody-here")), 404)
    equal(status(lambda: client("wrong").get_user().login), 401)


@group
def organizations():
    equal(sorted_names(me.get_orgs(), "login"), ["harbor", "pier"])
    equal(harbor.name, "Harbor Board")


@group
def repositories():
    full = "full_name"
    equal(sorted_names(me.get_repos(), full), ["harbor/empty", "harbor/hello", "harbor/secret", "olive/hello", "olive/own"])
    equal(sorted_names(harbor.get_repos(type="public"), full), ["harbor/empty", "harbor/hello"])
    equal(sorted_names(olive.get_user("olive").get_repos(), full), ["olive/hello", "olive/own"])
    equal(hello.topics, ["ships", "greetings"])
    equal(hello.get_languages()["TypeScript"], 28)
    mine = me.create_repo("mine", description="Mine", auto_init=True)
    equal((mine.full_name, mine.default_branch, mine.private), ("olive/mine", "main", False))
    made = harbor.create_repo("made", private=True, auto_init=True)
    equal(made.private, True)
    made.edit(description="Made", has_issues=False)
    made.replace_topics(["boats", "ships"])
    equal(made.get_topics(), ["boats", "ships"])
    assert next(iter(hello.get_contributors(anon='true'))).contributions > 0
    equal(olive.get_repo("harbor/made").description, "Made")
    equal(status(lambda: client("nell").get_repo("harbor/made")), 404)
    equal(status(lambda: harbor.create_repo("made")), 422)
    mine.delete()
    equal(status(lambda: olive.get_repo("olive/mine")), 404)


@group
def branches():
    heads = ["greet-danish", "greet-finnish", "greet-late", "greet-swedish"]
    guarded = ["guarded", "guarded-2", "guarded-3", "guarded-4", "guarded-5"]
    equal([branch.name for branch in hello.get_branches()], ["clash", *heads, *guarded, "main", "old", "side"])
    equal(hello.get_branch("main").commit.sha, head)
    equal(status(lambda: hello.get_branch("none")), 404)
    hello.create_git_ref("refs/heads/before", parent)
    equal(hello.rename_branch("before", "after/it"), True)
    equal(hello.get_branch("after/it").commit.sha, parent)
    hello.get_git_ref("heads/after/it").delete()
    hello.create_git_ref("refs/heads/base", parent)
    merged = hello.merge("base", "main", "Merge it")
    equal((merged.commit.message, [each.sha for each in merged.parents]), ("Merge it", [parent, head]))
    equal(hello.merge("base", "main"), None)
    equal(status(lambda: hello.merge("clash", "main")), 409)
    hello.get_git_ref("heads/base").delete()


@group
def tags():
    equal(sorted_names(hello.get_tags()), ["light", "v1"])
    equal({tag.commit.sha for tag in hello.get_tags()}, {head})


@group
def git_refs():
    equal([ref.object.type for ref in hello.get_git_matching_refs("tags/")], ["commit", "tag"])
    equal(hello.get_git_ref("heads/main").object.sha, head)
    ref = hello.create_git_ref("refs/heads/by/pygithub", parent)
    equal((ref.ref, ref.object.sha), ("refs/heads/by/pygithub", parent))
    ref.edit(head)
    equal(hello.get_git_ref("heads/by/pygithub").object.sha, head)
    ref.edit(parent, force=True)
    ref.delete()
    equal(status(lambda: hello.get_git_ref("heads/by/pygithub").object), 404)
    equal(status(lambda: hello.create_git_ref("refs/heads/main", parent)), 422)


@group
def git_objects():
    whole = hello.get_git_tree("main", recursive=True)
    paths = ["LICENSE", "README.md", "docs/CODEOWNERS", "docs/manual.md", "link", "src/README.md", "src/greet.ts"]
    equal([entry.path for entry in whole.tree if entry.type == "blob"], [".github/workflows/ci.yml", *paths])
    equal(hello.get_git_blob(blob).encoding, "base64")
    annotated = hello.get_git_tag(tag)
    equal((annotated.tag, annotated.object.sha, annotated.message.strip()), ("v1", head, "The first season"))
    commit = hello.get_git_commit(head)
    equal((commit.tree.sha, [each.sha for each in commit.parents]), (tree, [parent]))
    author = InputGitAuthor("Olive Marsh", "olive@harbor.example", "2026-01-02T03:04:05Z")
    made = hello.create_git_commit("By PyGithub", hello.get_git_tree(tree), [commit], author=author, committer=author)
    again = hello.get_git_commit(made.sha)
    equal((again.message, again.author.name, again.author.date.isoformat()), ("By PyGithub", "Olive Marsh", "2026-01-02T03:04:05+00:00"))
    written = hello.create_git_blob("héllo\n", "utf-8")
    equal(written.sha, git_id("blob", "héllo\n".encode()))
    equal(hello.get_git_blob(written.sha).size, 7)
    element = InputGitTreeElement("docs/new.md", "100644", "blob", content="new\n")
    bigger = hello.create_git_tree([element], base_tree=hello.get_git_tree(tree))
    paths = [entry.path for entry in hello.get_git_tree(bigger.sha, recursive=True).tree]
    assert "docs/new.md" in paths and "README.md" in paths, paths
    season = hello.create_git_tag("v2", "The second season", head, "commit", tagger=author)
    equal(hello.get_git_tag(season.sha).message.strip(), "The second season")


@group
def commits():
    equal([commit.sha for commit in hello.get_commits()], [head, parent])
    equal([commit.sha for commit in hello.get_commits(path="docs")], [head])
    commit = hello.get_commit("main")
    equal([file.filename for file in commit.files], ["docs/CODEOWNERS", "docs/manual.md", "link"])
    equal(commit.stats.additions, 3)
    comparison = hello.compare(parent, "main")
    equal((comparison.status, comparison.ahead_by, comparison.total_commits), ("ahead", 1, 1))
    equal([file.filename for file in comparison.files], ["docs/CODEOWNERS", "docs/manual.md", "link"])


@group
def contents():
    readme = hello.get_contents("README.md")
    equal((readme.decoded_content, readme.sha), (b"# Hello\n\nships\n", blob))
    equal([file.name for file in hello.get_contents("src")], ["README.md", "greet.ts"])
    equal(hello.get_contents("docs/manual.md", ref="main").decoded_content.decode(), "Ahoy, 世界\n")
    equal(status(lambda: hello.get_contents("none")), 404)
    equal(hello.get_readme().path, "README.md")
    equal(hello.get_license().license.spdx_id, "ISC")
    made = olive.get_repo("harbor/made")
    created = made.create_file("docs/größe.md", "Create", "one\n", branch="main")
    equal(made.get_contents("docs/größe.md").decoded_content, b"one\n")
    equal(created["content"].sha, git_id("blob", b"one\n"))
    updated = made.update_file("docs/größe.md", "Update", "two\n", created["content"].sha)
    equal(made.get_contents("docs/größe.md").decoded_content, b"two\n")
    equal([each.sha for each in updated["commit"].parents], [created["commit"].sha])
    equal(status(lambda: made.update_file("docs/größe.md", "Stale", "3\n", created["content"].sha)), 409)
    made.delete_file("docs/größe.md", "Delete", updated["content"].sha)
    equal(status(lambda: made.get_contents("docs/größe.md")), 404)


@group
def archives():
    with urlopen(hello.get_archive_link("tarball", "main")) as response:
        paths = tarfile.open(fileobj=io.BytesIO(response.read())).getnames()
    equal(sorted(path.partition("/")[2] for path in paths if path.endswith(".md")), ["README.md", "docs/manual.md", "src/README.md"])
    with urlopen(hello.get_archive_link("zipball", "v1")) as response:
        paths = zipfile.ZipFile(io.BytesIO(response.read())).namelist()
    assert any(path.endswith("/src/greet.ts") for path in paths), paths
    equal(status(lambda: hello.get_archive_link("zipball", "none")), 404)


@group
def search():
    equal(sorted_names(olive.search_code("ahoy repo:harbor/hello"), "path"), ["docs/manual.md", "src/greet.ts"])


@group
def commit_comments():
    equal([comment.id for comment in hello.get_comments()], [11, 12, 13])
    comment = hello.get_comment(12)
    equal((comment.path, comment.line, comment.user.login), ("README.md", 1, "olive"))
    comment.edit("Better.")
    equal(hello.get_comment(12).body, "Better.")
    hello.get_comment(13).delete()
    commit = hello.get_commit(head)
    made = commit.create_comment("Well done", line=1, path="docs/manual.md")
    equal((made.body, made.commit_id, made.path, made.line), ("Well done", head, "docs/manual.md", 1))
    equal([each.id for each in commit.get_comments()], [11, 12, made.id])
    made.delete()
    equal([each.id for each in hello.get_comments()], [11, 12])


@group
def review_comments():
    comments = list(hello.get_pulls_review_comments(sort="created", direction="asc"))
    equal([(comment.id, comment.path) for comment in comments], [(id, "src/danish.ts") for id in (21, 22, 24, 25)])
    comments[1].edit("Better.")
    danish = hello.get_pull(20)
    equal(danish.get_review_comment(22).body, "Better.")
    equal(danish.get_review_comment(24).in_reply_to_id, 21)


@group
def artifacts():
    equal(sorted_names(hello.get_artifacts()), ["old", "report", "spare"])
    equal([artifact.name for artifact in hello.get_artifacts(name="report")], ["report"])
    report = hello.get_artifact(1)
    equal((report.name, report.expired, report.workflow_run.id), ("report", False, 7))
    run = olive.create_from_raw_data(WorkflowRun, {"artifacts_url": f"{hello.url}/actions/runs/7/artifacts"})
    equal([artifact.name for artifact in run.get_artifacts()], ["report"])
    hello.get_artifact(2).delete()
    equal(sorted_names(hello.get_artifacts()), ["old", "report"])


@group
def events():
    types = {event.type for event in hello.get_events()}
    assert {"WatchEvent", "PushEvent", "DeleteEvent"} <= types, types
    assert olive.get_events().totalCount > 0
    equal({event.org.login for event in harbor.get_events()}, {"harbor"})
    piers = olive.get_user("piers")
    assert {event.actor.login for event in piers.get_events()} == {"piers"}
    assert {event.actor.login for event in piers.get_public_events()} == {"piers"}
    list(olive.get_user("olive").get_received_events())


def hooks_of(owner, config):
    """The same methods for a repository and for an organization."""
    hook = owner.create_hook("web", config, ["push"], active=True)
    equal((hook.config["url"], hook.config["secret"], hook.events), (config["url"], "********", ["push"]))
    hook.edit("web", config, events=["push", "create"])
    equal(owner.get_hook(hook.id).events, ["push", "create"])
    hook.ping()
    assert hook.id in [each.id for each in owner.get_hooks()]
    hook.delete()
    equal(status(lambda: owner.get_hook(hook.id).events), 404)


def deliveries_of(owner, hook_id):
    first = list(owner.get_hook_deliveries(hook_id))[-1]
    equal((first.event, first.status_code), ("ping", 200))
    delivery = owner.get_hook_delivery(hook_id, first.id)
    equal(delivery.guid, first.guid)
    equal(delivery.request.headers["X-GitHub-Event"], "ping")


@group
def repository_hooks():
    hooks_of(hello, {"url": f"{names['{receiver}']}/pygithub", "content_type": "json", "secret": "s"})
    deliveries_of(hello, 1)
    hello.get_hook(1).test()


@group
def organization_hooks():
    hooks_of(harbor, {"url": f"{names['{receiver}']}/pygithub", "content_type": "json", "secret": "s"})
    deliveries_of(harbor, 2)


@group
def keys():
    equal(sorted_names(me.get_keys(), "title"), ["lamp", "spare"])
    text = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3q7kGx1nTbq0bVqYQW4m1x0h3m2q2v1Jm0wq3sU4nN"
    key = me.create_key("by PyGithub", text)
    equal(me.get_key(key.id).key, text)
    key.delete()
    equal([each.id for each in olive.get_user("olive").get_keys()], [each.id for each in me.get_keys()])


@group
def deploy_keys():
    found = list(hello.get_keys())
    equal(sorted_names(found, "title"), ["To be deleted", "deploy"])
    found[1].delete()
    again = hello.create_key("again", found[1].key, read_only=True)
    read = hello.get_key(again.id)
    equal((read.title, read.key, read.read_only, read.added_by), ("again", found[1].key, True, "olive"))


@group
def installations():
    equal(sorted_names(me.get_installations(), "id"), [90, 91, 94, 95])
    app = client("buoy").create_from_raw_data(Installation, {"id": 90})
    equal([repository.full_name for repository in app.get_repos()], ["harbor/hello"])


def documented():
    """HTTP methods and paths that PyGithub's documentation names."""
    found = set()
    for module in pkgutil.iter_modules(github.__path__):
        for verb, path in re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^\s<`]*)", inspect.getsource(import_module(f"github.{module.name}"))):
            found.add(f"{verb} {template(path)}")
    return found


def template(path):
    return re.sub(r"\{[^}]*\}", "{}", path)


# Methods whose documentation lacks the path, or has another one.
undocumented = {
    "artifacts.listForWorkflowRun",  # WorkflowRun.get_artifacts
    "organizationHooks.ping",  # Hook.ping
    # Methods of Team, which use its URL.
    "teamMembers.add",
    "teamMembers.list",
    "teamMembers.remove",
    "teamRepositories.check",
    "teamRepositories.list",
    "teamRepositories.remove",
    "teams.delete",
    "teams.listChildren",
    "teams.update",
    "statuses.listForRef",  # Commit.get_statuses, which uses the former path
    "repositories.downloadTarball",  # Repository.get_archive_link
    "repositories.downloadZipball",
    "licenses.get",  # Github.get_license
    "releases.getByTag",  # Repository.get_release
    # Methods of GitReleaseAsset, which use its URL.
    "releaseAssets.get",
    "releaseAssets.update",
    "releaseAssets.delete",
    "workflows.sendEvent",  # Repository.create_repository_dispatch
    # Lists of secrets and variables, and their repositories.
    "repositorySecrets.list",
    "organizationSecrets.listSelectedRepositories",
    "organizationSecrets.addSelectedRepository",
    "organizationSecrets.removeSelectedRepository",
    "repositoryVariables.list",
    "repositoryVariables.create",
    "environmentVariables.list",
    "environmentVariables.create",
    "environmentVariables.update",
    "organizationVariables.list",
    "organizationVariables.listSelectedRepositories",
}

import_module("pygithub_people")
import_module("pygithub_repositories")
import_module("pygithub_issues")  # after the groups above, whose counts its issues would change
import_module("pygithub_pulls")
import_module("pygithub_reviews")
import_module("pygithub_releases")

problems = {}
for name, function in groups.items():
    try:
        function()
    except Exception:  # one group does not hide the results of the others
        problems[name] = [traceback.format_exc()[-1500:]]

calls = documented()
absent = [
    operation["name"]
    for operation in given["operations"]
    if operation["name"] not in undocumented and f"{operation['method']} {template(operation['path'])}" not in calls
]
print(json.dumps({"version": version("PyGithub"), "absent": absent, "problems": problems}))
