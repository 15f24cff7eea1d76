"""A maintainer's scripts with PyGithub: triage, a pull request with reviews, a release, and lists."""

import json
import sys
import tempfile
import time
from pathlib import Path

from github import Auth, Github, UnknownObjectException

given = json.load(sys.stdin)


def connect(token):
    return Github(auth=Auth.Token(token), base_url=f"{given['url']}/api/v3", seconds_between_writes=0)


ada, bea = connect(given["ada"]), connect(given["bea"])
repo = ada.get_repo(given["repository"])


def ensure_label(name, color):
    try:
        return repo.get_label(name)
    except UnknownObjectException:
        return repo.create_label(name, color)


def triage():
    """Labels, assigns, and closes the open issues by their titles. Returns the numbers by kind."""
    bug, question = ensure_label("bug", "d73a4a"), ensure_label("needs-info", "ededed")
    milestone = repo.create_milestone("next")
    done = {"bugs": [], "questions": [], "duplicates": []}
    first = {}
    for issue in repo.get_issues(state="open", sort="created", direction="asc"):
        if issue.title in first:
            issue.create_comment(f"Duplicate of #{first[issue.title]}")
            issue.edit(state="closed", state_reason="not_planned")
            issue.lock("resolved")
            done["duplicates"].append(issue.number)
            continue
        first[issue.title] = issue.number
        if "crash" in issue.title.lower():
            issue.add_to_labels(bug)
            issue.edit(milestone=milestone, assignees=["bea"])
            done["bugs"].append(issue.number)
        elif not issue.body:
            issue.add_to_labels(question)
            issue.create_comment("What do you see?").create_reaction("eyes")
            done["questions"].append(issue.number)
    query = f"repo:{repo.full_name} is:issue is:open label:bug assignee:bea"
    done["found"] = sorted(issue.number for issue in ada.search_issues(query))
    return done


def propose():
    """Proposes a change, which a reviewer first refuses and then approves. Returns the number."""
    repo.create_git_ref("refs/heads/sails", repo.get_branch("main").commit.sha)
    file = repo.get_contents("README.md", ref="sails")
    text = file.decoded_content.decode() + "With sails\n"
    repo.update_file(file.path, "Describe the sails", text, file.sha, branch="sails")
    pull = repo.create_pull(base="main", head="sails", title="Describe the sails", body="Of linen", draft=True)
    pull.mark_ready_for_review()
    pull.create_review_request(reviewers=["bea"])
    theirs = bea.get_repo(repo.full_name).get_pull(pull.number)
    line = len(text.splitlines())
    comment = {"path": "README.md", "line": line, "side": "RIGHT", "body": "Which sails?"}
    head = theirs.get_commits().reversed[0]
    theirs.create_review(commit=head, body="Not yet", event="REQUEST_CHANGES", comments=[comment])
    asked = pull.get_review_comments()[0]
    file = repo.get_contents("README.md", ref="sails")
    repo.update_file(file.path, "Name the sails", text + "of linen\n", file.sha, branch="sails")
    pull.create_review_comment_reply(asked.id, "Those of linen")
    theirs.create_review(body="Good", event="APPROVE")
    repo.get_commit(repo.get_branch("sails").commit.sha).create_status("success", context="hull")
    while pull.mergeable is None:
        time.sleep(0.1)
        pull = repo.get_pull(pull.number)
    pull.merge(merge_method="squash", commit_title=f"Describe the sails (#{pull.number})", delete_branch=True)
    return {
        "number": pull.number,
        "reviews": [(one.user.login, one.state) for one in pull.get_reviews() if one.body],
        "comments": [(one.user.login, one.body) for one in pull.get_review_comments()],
    }


def publish():
    """Publishes a release of what followed the tag `v1.0.0`, with a file."""
    changes = repo.compare("v1.0.0", "main").commits
    notes = "".join(f"- {one.commit.message.splitlines()[0]}\n" for one in changes)
    release = repo.create_git_tag_and_release(
        "v1.1.0", "Sails", "1.1", notes, repo.get_branch("main").commit.sha, "commit", draft=True
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "boats.txt")
        path.write_text("oak and linen\n")
        asset = release.upload_asset(str(path), label="The boats", content_type="text/plain")
    release = release.update_release("1.1", notes, draft=False)
    return {"tag": repo.get_latest_release().tag_name, "asset": asset.name, "files": release.get_assets().totalCount}


def lists():
    """Reads lists in the ways that PyGithub has."""
    issues = repo.get_issues(state="all", sort="created", direction="asc")
    return {
        "total": issues.totalCount,
        "last": issues.reversed[0].number,
        "slice": [issue.number for issue in issues[28:32]],
        "page": [issue.number for issue in issues.get_page(1)][:2],
        "all": len(list(issues)),
        "tree": sorted(one.path for one in repo.get_git_tree("main", recursive=True).tree),
        "commits": [one.commit.message.splitlines()[0] for one in repo.get_commits()[:2]],
    }


print(json.dumps({"triage": triage(), "proposal": propose(), "release": publish(), "lists": lists()}))
