"""PyGithub calls settings, templates, transfers, forks and searches of repositories, in the organization of people.json."""

from pygithub_support import client, equal, group, sorted_names, status

rosa = client("rosa")
me = rosa.get_user()
yard = rosa.get_organization("yard")
hulls = rosa.get_repo("yard/hulls")
plans = rosa.get_repo("yard/plans")


def full_names(repositories):
    return [one.full_name for one in repositories]


@group
def searches():
    found = rosa.search_repositories("hulls", sort="stars", order="desc", org="yard")
    equal((found.totalCount, found.incomplete_results, full_names(found)), (2, False, ["yard/hulls", "yard/plans"]))
    # PyGithub refuses numbers without decimals.
    equal([type(one.score) for one in found], [float, float])
    equal(full_names(rosa.search_repositories("", language="typescript", org="yard")), ["yard/plans"])
    (user,) = rosa.search_users("reyes", location="rotterdam", type="user")
    equal((user.login, user.name), ("rosa", "Rosa Reyes"))
    written = hulls.create_file("seams.md", "Caulk every seam", "dry\n")
    (commit,) = rosa.search_commits("caulk", sort="author-date", order="asc", repo="yard/hulls", author="rosa")
    equal((commit.sha, commit.commit.message), (written["commit"].sha, "Caulk every seam"))
    equal((commit.author.login, commit.repository.full_name), ("rosa", "yard/hulls"))
    (topic,) = rosa.search_topics("hulls", repositories=">1")
    equal((topic.name, topic.repository_count, topic.curated), ("hulls", 2, False))


@group
def repository_settings():
    masts = yard.create_repo(
        "masts",
        visibility="private",
        auto_init=True,
        gitignore_template="Node",
        license_template="mit",
        has_wiki=False,
        allow_rebase_merge=False,
        delete_branch_on_merge=True,
    )
    equal((masts.private, masts.has_issues, masts.has_wiki), (True, True, False))
    equal((masts.allow_squash_merge, masts.allow_rebase_merge, masts.delete_branch_on_merge), (True, False, True))
    equal((masts.merge_commit_title, masts.merge_commit_message), ("MERGE_MESSAGE", "PR_TITLE"))
    equal(masts.get_license().license.spdx_id, "MIT")
    equal(sorted_names(masts.get_contents("")), [".gitignore", "LICENSE", "README.md"])
    masts.edit(
        has_issues=False,
        has_discussions=True,
        is_template=True,
        allow_auto_merge=True,
        allow_update_branch=True,
        squash_merge_commit_title="PR_TITLE",
        squash_merge_commit_message="PR_BODY",
        web_commit_signoff_required=True,
    )
    read = rosa.get_repo("yard/masts")
    equal((read.has_issues, read.has_discussions, read.is_template), (False, True, True))
    equal((read.allow_auto_merge, read.allow_update_branch, read.web_commit_signoff_required), (True, True, True))
    equal((read.squash_merge_commit_title, read.squash_merge_commit_message), ("PR_TITLE", "PR_BODY"))
    equal(status(lambda: read.create_issue("Varnish")), 410)
    equal(list(read.get_issues()), [])
    equal(status(lambda: read.edit(merge_commit_title="PR_TITLE", merge_commit_message="PR_TITLE")), 422)
    masts.delete()


@group
def repository_templates():
    skiff = yard.create_repo_from_template("skiff", plans, description="A small boat", include_all_branches=True, private=True)
    equal((skiff.full_name, skiff.private, skiff.description), ("yard/skiff", True, "A small boat"))
    equal(skiff.template_repository.full_name, "yard/plans")
    equal([one.name for one in skiff.get_branches()], ["draft", "main"])
    equal(skiff.get_contents("src/hull.ts").sha, plans.get_contents("src/hull.ts").sha)
    equal(len(list(skiff.get_commits())), 1)
    equal(status(lambda: me.create_repo_from_template("raft", hulls)), 422)


@group
def repository_transfers():
    dinghy = me.create_repo_from_template("dinghy", plans)
    equal(dinghy.transfer_ownership("yard", new_name="tender"), True)
    moved = rosa.get_repo("yard/tender")
    equal((moved.id, moved.owner.login, moved.owner.type), (dinghy.id, "yard", "Organization"))
    equal(rosa.get_repo("rosa/dinghy").full_name, "yard/tender")
    equal(status(lambda: moved.transfer_ownership("otto")), 422)


@group
def public_repositories():
    since = rosa.get_repos(since=plans.id - 1)
    equal(full_names(since)[:2], ["yard/plans", "yard/hulls"])
    every = full_names(rosa.get_repos())
    assert {"fleet/boats", "harbor/hello", "yard/hulls"} <= set(every), every
    assert "yard/skiff" not in every, every


@group
def autolinks():
    equal(sorted_names(hulls.get_autolinks(), "key_prefix"), ["HULL-"])
    made = hulls.create_autolink("OAK-", "https://oaks.example/<num>", is_alphanumeric=False)
    equal((made.key_prefix, made.url_template, made.is_alphanumeric), ("OAK-", "https://oaks.example/<num>", False))
    equal(sorted_names(hulls.get_autolinks(), "key_prefix"), ["HULL-", "OAK-"])
    equal(status(lambda: hulls.create_autolink("oak-", "https://oaks.example/<num>")), 422)
    equal(hulls.remove_autolink(made), True)
    equal(sorted_names(hulls.get_autolinks(), "key_prefix"), ["HULL-"])


@group
def licenses():
    keys = sorted_names(rosa.get_licenses(), "key")
    assert {"apache-2.0", "gpl-3.0", "mit"} <= set(keys), keys
    mit = rosa.get_license("mit")
    equal((mit.key, mit.name, mit.spdx_id), ("mit", "MIT License", "MIT"))
    assert "commercial-use" in mit.permissions and "Permission is hereby granted" in mit.body
    equal(status(lambda: rosa.get_license("none")), 404)


@group
def gitignore():
    templates = rosa.get_gitignore_templates()
    assert {"Go", "Node", "Rust"} <= set(templates), templates
    node = rosa.get_gitignore_template("Node")
    equal((node.name, "node_modules" in node.source), ("Node", True))
    equal(status(lambda: rosa.get_gitignore_template("None")), 404)


@group
def markdown():
    assert "<strong>Ahoy</strong>" in rosa.render_markdown("**Ahoy**")
    linked = rosa.render_markdown("See HULL-12 and @rosa", hulls)
    assert 'href="https://hulls.example/12"' in linked and ">@rosa</a>" in linked, linked


@group
def forks():
    fork = me.create_fork(hulls)
    equal((fork.full_name, fork.fork, fork.parent.full_name), ("rosa/hulls", True, "yard/hulls"))
    equal(hulls.create_fork().id, fork.id)
    equal(full_names(hulls.get_forks()), ["rosa/hulls"])
    boats = yard.create_fork(rosa.get_repo("fleet/boats"), name="skiffs", default_branch_only=True)
    equal((boats.full_name, boats.source.full_name), ("yard/skiffs", "fleet/boats"))
    equal(fork.merge_upstream("main").merge_type, "none")
    written = hulls.create_file("keel.md", "Lay the keel", "oak\n")
    merged = fork.merge_upstream("main")
    equal((merged.merge_type, merged.base_branch), ("fast-forward", "yard:main"))
    equal(fork.get_branch("main").commit.sha, written["commit"].sha)
    hulls.create_file("deck.md", "Lay the deck", "oak\n")
    fork.create_file("deck.md", "Lay another deck", "pine\n")
    equal(status(lambda: fork.merge_upstream("main")), 409)
    equal(status(lambda: hulls.merge_upstream("main")), 422)
