"""PyGithub calls reviews, their comments, requests for reviews and protected branches, in yard/hulls."""

from pygithub_support import client, equal, group, hello, sorted_names, status

from pygithub_issues import recent
from pygithub_pulls import branch, hulls

otto = client("otto").get_repo("yard/hulls")


def proposed(name):
    """Creates a pull request with a file of one line."""
    branch(name)
    return hulls.create_pull("main", name, title=f"Add {name}")


@group
def reviews():
    keelson = proposed("keelson")
    mine = otto.get_pull(keelson.number)
    remark = {"path": "keelson.md", "position": 1, "body": "Of _ash_?"}
    made = mine.create_review(body="Not yet", event="REQUEST_CHANGES", comments=[remark])
    equal((made.state, made.body, made.user.login), ("CHANGES_REQUESTED", "Not yet", "otto"))
    equal(made.commit_id, keelson.head.sha)
    recent(made.submitted_at)
    (comment,) = keelson.get_single_review_comments(made.id)
    equal((comment.body, comment.path, comment.pull_request_review_id), ("Of _ash_?", "keelson.md", made.id))
    made.edit("Not at all")
    equal(keelson.get_review(made.id).body, "Not at all")
    keelson.get_review(made.id).dismiss("It is oak")
    equal([(one.id, one.state) for one in keelson.get_reviews()], [(made.id, "DISMISSED")])
    pending = mine.create_review(body="Perhaps")
    equal((pending.state, pending.submitted_at), ("PENDING", None))
    equal([one.state for one in keelson.get_reviews()], ["DISMISSED"])
    equal(status(lambda: mine.create_review(body="Again")), 422)
    pending.delete()
    mine.create_review(event="APPROVE")
    equal([one.state for one in keelson.get_reviews()], ["DISMISSED", "APPROVED"])
    equal(status(lambda: keelson.create_review(event="APPROVE")), 422)
    equal(status(lambda: keelson.get_review(1).state), 404)


@group
def threads():
    stern = proposed("stern")
    made = stern.create_review_comment("Plane it", stern.head.sha, "stern.md", line=1, side="RIGHT")
    equal((made.body, made.path, made.line, made.side), ("Plane it", "stern.md", 1, "RIGHT"))
    equal((made.diff_hunk, made.original_commit_id), ("@@ -0,0 +1 @@\n+oak", stern.head.sha))
    reply = stern.create_review_comment_reply(made.id, "It is planed")
    equal((reply.in_reply_to_id, reply.user.login), (made.id, "rosa"))
    whole = stern.create_review_comment("Too long", stern.head.sha, "stern.md", subject_type="file")
    equal((whole.position, whole.subject_type), (1, "file"))
    reply.edit("It is planed, *twice*")
    equal([one.body for one in stern.get_review_comments()], ["Plane it", "It is planed, *twice*", "Too long"])
    whole.delete()
    equal(stern.update() and stern.review_comments, 2)
    equal(status(lambda: stern.create_review_comment("Where?", stern.head.sha, "stern.md", line=9, side="RIGHT")), 422)
    equal([one.id for one in hulls.get_pulls_review_comments()][-2:], [made.id, reply.id])


@group
def review_requests():
    bow = proposed("bow")
    bow.create_review_request(reviewers=["otto"])
    users, teams = bow.get_review_requests()
    equal((sorted_names(users, "login"), list(teams)), (["otto"], []))
    equal([one.number for one in hulls.get_pulls() if one.requested_reviewers], [bow.number])
    equal(status(lambda: bow.create_review_request(reviewers=["nobody"])), 422)
    bow.delete_review_request(reviewers=["otto"])
    equal(list(bow.get_review_requests()[0]), [])


@group
def protection():
    yard = client("rosa").get_organization("yard")
    team = yard.create_team("Carvers", privacy="closed")
    team.add_to_repos(hulls)
    team.update_team_repository(hulls, "push")
    hulls.add_to_collaborators("otto", "push")
    branch("helm")
    helm = hulls.get_branch("helm")
    equal((helm.protected, status(lambda: helm.get_protection().url)), (False, 404))
    made = helm.edit_protection(
        strict=True,
        checks=["carve", ("paint", -1)],
        enforce_admins=True,
        dismiss_stale_reviews=True,
        required_approving_review_count=2,
        user_push_restrictions=["otto"],
        team_push_restrictions=[team.slug],
        app_push_restrictions=[],
        allow_force_pushes=True,
        required_linear_history=True,
    )
    equal((made.required_status_checks.strict, made.required_status_checks.contexts), (True, ["carve", "paint"]))
    equal((made.enforce_admins, made.required_linear_history, made.allow_force_pushes), (True, True, True))
    equal((made.allow_deletions, made.required_conversation_resolution), (False, False))
    equal(made.required_pull_request_reviews.required_approving_review_count, 2)
    equal(hulls.get_branch("helm").protected, True)
    read = helm.get_protection()
    equal(sorted_names(read.get_user_push_restrictions(), "login"), ["otto"])
    equal(sorted_names(read.get_team_push_restrictions(), "slug"), ["carvers"])
    # A push that the rules refuse.
    equal(status(lambda: hulls.create_file("tiller.md", "Add a tiller", "ash\n", branch="helm")), 422)


@group
def protection_parts():
    helm = hulls.get_branch("helm")
    equal(helm.get_required_status_checks().contexts, ["carve", "paint"])
    equal(helm.edit_required_status_checks(strict=False, contexts=["sand"]).contexts, ["sand"])
    helm.remove_required_status_checks()
    equal(status(lambda: helm.get_required_status_checks().contexts), 404)
    equal(helm.get_required_pull_request_reviews().dismiss_stale_reviews, True)
    edited = helm.edit_required_pull_request_reviews(required_approving_review_count=1, require_last_push_approval=True)
    equal((edited.required_approving_review_count, edited.require_last_push_approval), (1, True))
    helm.remove_required_pull_request_reviews()
    equal(status(lambda: helm.get_required_pull_request_reviews().url), 404)
    helm.remove_admin_enforcement()
    equal(helm.get_admin_enforcement(), False)
    helm.set_admin_enforcement()
    equal(helm.get_admin_enforcement(), True)
    equal(helm.get_required_signatures(), False)
    helm.add_required_signatures()
    equal(helm.get_required_signatures(), True)
    helm.remove_required_signatures()
    helm.replace_user_push_restrictions("otto")
    helm.remove_user_push_restrictions("otto")
    helm.add_user_push_restrictions("rosa")
    equal(sorted_names(helm.get_user_push_restrictions(), "login"), ["rosa"])
    helm.remove_team_push_restrictions("carvers")
    equal(list(helm.get_team_push_restrictions()), [])
    helm.add_team_push_restrictions("carvers")
    helm.replace_team_push_restrictions("carvers")
    equal(sorted_names(helm.get_team_push_restrictions(), "slug"), ["carvers"])
    helm.remove_push_restrictions()
    equal(status(lambda: list(helm.get_user_push_restrictions())), 404)
    helm.remove_protection()
    equal(hulls.get_branch("helm").protected, False)


@group
def reviews_of_the_fixture():
    danish = hello.get_pull(20)
    equal([(one.id, one.state, one.body) for one in danish.get_reviews()], [(30, "APPROVED", "Ohoj"), (40, "COMMENTED", ""), (41, "COMMENTED", ""), (42, "COMMENTED", "")])
    late = hello.get_pull(22)
    users, teams = late.get_review_requests()
    equal((sorted_names(users, "login"), sorted_names(teams, "slug")), (["piers"], ["crew"]))
