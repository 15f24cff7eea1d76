"""A maintainer's scripts with ghapi: branches, a pull request, issues in pages, and a release."""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from ghapi.all import APIError, GhApi, pages, paged

given = json.load(sys.stdin)
owner, repo = given["repository"].split("/")
api = GhApi(owner=owner, repo=repo, token=given["ada"], gh_host=f"{given['url']}/api/v3")


async def triage():
    """Labels the issues without a body, which it reads in pages one after the other and all at once."""
    await api.issues.create_label(name="needs-info", color="ededed")
    numbers = []
    async for page in paged(api.issues.list_for_repo, per_page=10, sort="created", direction="asc"):
        for issue in page:
            numbers.append(issue.number)
            if not issue.body:
                await api.issues.add_labels(issue.number, labels=["needs-info"])
                await api.issues.create_comment(issue.number, body="What do you see?")
    await api.issues.list_for_repo(per_page=10)
    count = api.last_page()
    every = (await pages(api.issues.list_for_repo, count, per_page=10)).concat()
    await api.issues.update(numbers[0], state="closed", state_reason="completed")
    info = await api.read_issue(numbers[0])
    try:
        await api.issues.get(10_000)
    except APIError as error:
        missing = error.status_code
    return {
        "numbers": numbers,
        "pages": count,
        "all": len(every),
        "comments": [one.body for one in info.comments],
        "missing": missing,
    }


async def change():
    """Commits files to branches, and merges a pull request."""
    await api.create_branch_empty("pages")
    tree = [dict(path="masts/main.txt", mode="100644", type="blob", content="pine\n")]
    commit = await api.commit_tree("masts", "Add a mast", tree)
    person = dict(name="Ada Quay", email="ada@quay.example")
    await api.create_file("masts/fore.txt", "Add the fore mast", person, person, "fir\n", branch="masts")
    await api.update_contents("README.md", "Describe the masts", person, person, "# Masts\n", branch="masts")
    files = await api.get_repo_files(owner, repo, branch="masts", inc="*.txt")
    readme = await api.get_file_content("README.md", owner, repo, branch="masts")
    pull = await api.pulls.create(title="Add masts", head="masts", base="main", body="Two")
    await api.pulls.create_review(pull.number, body="Fine", event="COMMENT")
    info = await api.read_issue(pull.number)
    listed = [(one.number, one.title) for one in await api.list_prs()]
    while (await api.pulls.get(pull.number)).mergeable is None:
        await asyncio.sleep(0.1)
    merged = await api.pulls.merge(pull.number, merge_method="merge")
    await api.delete_branch("masts")
    return {
        "parent": commit.parents[0].sha,
        "files": list(files.attrgot("path")),
        "readme": readme.content_decoded,
        "pull": pull.number,
        "listed": listed,
        "diff": info.diff.count("diff --git"),
        "reviews": [one.body for one in info.reviews],
        "merged": merged.merged,
        "branches": [one.ref for one in await api.list_branches()],
    }


async def publish():
    """Publishes a release with a file, and a second one that it deletes with its tag."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "boats.txt")
        path.write_text("oak and pine\n")
        release = await api.create_release("1.1", branch="main", body="With masts", files=[path])
    await api.delete_release(await api.create_release("1.2"))
    return {
        "name": release.name,
        "assets": [one.name for one in (await api.repos.get_latest_release()).assets],
        "tags": [one.ref for one in await api.list_tags()],
    }


async def main():
    print(json.dumps({"triage": await triage(), "change": await change(), "release": await publish()}))


asyncio.run(main())
