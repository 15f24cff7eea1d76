"""PyGithub calls the groups of people, teams, stars, watching and notifications, in the organization of people.json."""

from datetime import datetime, timezone

from pygithub_support import client, equal, group, sorted_names, status

vera = client("vera")
me = vera.get_user()
fleet = vera.get_organization("fleet")
boats = vera.get_repo("fleet/boats")


def logins(accounts):
    return sorted_names(accounts, "login")


def recent(at):
    assert abs((datetime.now(timezone.utc) - at).total_seconds()) < 600, at


@group
def organizations_of_people():
    fleet.edit(description="Sails")
    equal(vera.get_organization("fleet").description, "Sails")
    equal(logins(vera.get_user("walt").get_orgs()), ["fleet"])
    equal(logins(vera.get_user("yuri").get_orgs()), [])
    assert {"fleet", "harbor"} <= set(logins(vera.get_organizations()))


@group
def organization_members():
    equal(logins(fleet.get_members()), ["vera", "walt", "yuri", "zoe"])
    equal(logins(fleet.get_members(role="admin")), ["vera"])
    yuri = vera.get_user("yuri")
    equal(fleet.has_in_members(yuri), True)
    fleet.remove_from_members(yuri)
    equal(fleet.has_in_members(yuri), False)
    equal(logins(fleet.get_public_members()), ["walt"])
    own = vera.get_user("vera")
    fleet.add_to_public_members(own)
    equal(fleet.has_in_public_members(own), True)
    fleet.remove_from_public_members(own)
    equal(fleet.has_in_public_members(own), False)


@group
def organization_memberships():
    carl = vera.get_user("carl")
    fleet.add_to_members(carl, role="member")
    membership = carl.get_organization_membership("fleet")
    equal((membership.state, membership.role, membership.user.login), ("pending", "member", "carl"))
    own = client("carl").get_user()
    equal([one.organization.login for one in own.get_organization_memberships()], ["fleet"])
    equal(own.get_organization_membership("fleet").state, "pending")
    fleet.remove_from_membership(carl)
    equal(status(lambda: carl.get_organization_membership("fleet")), 404)


@group
def organization_invitations():
    (first,) = fleet.invitations()
    equal((first.login, first.role, first.inviter.login, first.team_count), ("xena", "direct_member", "vera", 1))
    recent(first.created_at)
    fleet.invite_user(email="carl@fleet.example", role="admin", teams=[fleet.get_team_by_slug("divers")])
    (made,) = (one for one in fleet.invitations() if one.id != first.id)
    equal((made.role, made.team_count), ("admin", 1))
    equal(made.cancel(), True)
    equal(logins(fleet.invitations()), ["xena"])


@group
def outside_collaborators():
    equal(logins(fleet.get_outside_collaborators()), ["adam"])
    fleet.convert_to_outside_collaborator(vera.get_user("zoe"))
    equal(logins(fleet.get_outside_collaborators()), ["adam", "zoe"])
    fleet.remove_outside_collaborator(vera.get_user("adam"))
    equal(logins(fleet.get_outside_collaborators()), ["zoe"])


@group
def teams():
    equal(sorted_names(fleet.get_teams(), "slug"), ["divers", "sailors"])
    team = fleet.create_team("Deep Divers", description="Dive", privacy="closed")
    equal((team.slug, team.privacy, team.members_count), ("deep-divers", "closed", 1))
    recent(team.created_at)
    sailors = fleet.get_team_by_slug("sailors")
    equal((sailors.description, sailors.members_count, sailors.repos_count), ("Hoist sails", 2, 1))
    team.edit("Deep Divers", description="Dive deep", parent_team_id=sailors.id)
    equal((team.description, team.parent.slug), ("Dive deep", "sailors"))
    equal(sorted_names(sailors.get_teams(), "slug"), ["deep-divers", "divers"])
    equal(sorted_names(me.get_teams(), "slug"), ["deep-divers", "sailors"])
    equal([(one.slug, one.permission) for one in boats.get_teams()], [("sailors", "push")])
    team.delete()
    equal(status(lambda: fleet.get_team_by_slug("deep-divers")), 404)


@group
def team_members():
    divers, walt = fleet.get_team_by_slug("divers"), vera.get_user("walt")
    divers.add_membership(walt, "maintainer")
    membership = divers.get_team_membership("walt")
    equal((membership.role, membership.state), ("maintainer", "active"))
    equal(logins(divers.get_members(role="maintainer")), ["walt"])
    divers.remove_membership(walt)
    equal(logins(divers.get_members()), [])


@group
def team_repositories():
    divers, docks = fleet.get_team_by_slug("divers"), vera.get_repo("fleet/docks")
    equal(divers.update_team_repository(docks, "maintain"), True)
    equal(divers.has_in_repos(docks), True)
    permission = divers.get_repo_permission(docks)
    equal((permission.maintain, permission.admin), (True, False))
    equal(sorted_names(divers.get_repos(), "full_name"), ["fleet/boats", "fleet/docks"])
    divers.remove_from_repos(docks)
    equal(divers.has_in_repos(docks), False)
    equal(divers.get_repo_permission(docks), None)


@group
def collaborators():
    equal(logins(boats.get_collaborators(affiliation="direct")), ["zoe"])
    (zoe,) = boats.get_collaborators(affiliation="outside")
    equal((zoe.role_name, zoe.permissions.triage, zoe.permissions.push), ("triage", True, False))
    equal((boats.has_in_collaborators("zoe"), boats.has_in_collaborators("bela")), (True, False))
    equal((boats.get_collaborator_permission("zoe"), boats.get_collaborator_role_name("zoe")), ("read", "triage"))
    boats.remove_from_collaborators("zoe")
    equal(boats.has_in_collaborators("zoe"), False)


@group
def repository_invitations():
    made = boats.add_to_collaborators("bela", "triage")
    equal((made.permissions, made.invitee.login, made.inviter.login), ("triage", "bela", "vera"))
    recent(made.created_at)
    equal([one.id for one in boats.get_pending_invitations()], [made.id])
    bela = client("bela").get_user()
    equal(sorted_names((one.repository for one in bela.get_invitations())), ["boats", "docks"])
    bela.accept_invitation(made)
    equal(boats.get_collaborator_role_name("bela"), "triage")
    docks = vera.get_repo("fleet/docks")
    (other,) = docks.get_pending_invitations()
    docks.remove_invitation(other.id)
    equal(list(docks.get_pending_invitations()), [])


@group
def stars():
    equal(me.has_in_starred(boats), False)
    me.add_to_starred(boats)
    equal(me.has_in_starred(boats), True)
    equal(sorted_names(me.get_starred(), "full_name"), ["fleet/boats"])
    equal([one.stargazers_count for one in vera.get_user("walt").get_starred()], [2])
    equal(logins(boats.get_stargazers()), ["vera", "walt"])
    first, second = boats.get_stargazers_with_dates()
    equal((first.user.login, first.starred_at), ("walt", datetime(2026, 1, 1, tzinfo=timezone.utc)))
    recent(second.starred_at)
    me.remove_from_starred(boats)
    equal(me.has_in_starred(boats), False)


@group
def watching():
    equal(me.has_in_watched(boats), False)
    me.add_to_watched(boats)
    equal(me.has_in_watched(boats), True)
    equal(logins(boats.get_subscribers()), ["vera", "walt"])
    equal(sorted_names(me.get_watched(), "full_name"), ["fleet/boats"])
    equal(sorted_names(vera.get_user("walt").get_subscriptions(), "full_name"), ["fleet/boats"])
    me.remove_from_watched(boats)
    equal(me.has_in_watched(boats), False)


@group
def notifications():
    threads = list(me.get_notifications())
    found = [(one.subject.title, one.reason, one.unread) for one in threads]
    equal(found, [("Count the oars", "subscribed", True), ("Mend the sails", "mention", True), ("Tar the hull", "assign", True)])
    threads[2].mark_as_read()
    read = me.get_notification(threads[2].id)
    equal((read.unread, read.subject.type, read.repository.full_name), (False, "Issue", "fleet/boats"))
    recent(read.last_read_at)
    threads[0].mark_as_done()
    equal([one.get_issue().number for one in boats.get_notifications()], [2])
    boats.mark_notifications_as_read()
    equal(list(boats.get_notifications()), [])
    me.mark_notifications_as_read()
    equal([(one.subject.title, one.unread) for one in me.get_notifications(all=True)], [("Mend the sails", False), ("Tar the hull", False)])


@group
def profiles():
    me.edit(bio="Mends sails", hireable=True)
    equal((me.bio, me.hireable, me.name), ("Mends sails", True, "Vera Voss"))
    assert {"fleet", "vera", "walt"} <= set(logins(vera.get_users()))
    assert all(user.id > me.id for user in vera.get_users(since=me.id))
    by_id = vera.get_user_by_id(me.id)
    equal((by_id.login, by_id.bio, by_id.followers), ("vera", "Mends sails", 2))


@group
def followers():
    walt = vera.get_user("walt")
    equal(logins(me.get_followers()), ["walt", "zoe"])
    equal(logins(walt.get_followers()), ["zoe"])
    equal(me.has_in_following(walt), False)
    me.add_to_following(walt)
    equal(me.has_in_following(walt), True)
    equal(logins(me.get_following()), ["walt"])
    equal(logins(vera.get_user("zoe").get_following()), ["vera", "walt"])
    own = vera.get_user("vera")
    equal(own.has_in_following(walt), True)
    me.remove_from_following(walt)
    equal(own.has_in_following(walt), False)


@group
def emails():
    primary = ("vera@fleet.example", True, True, "public")
    boats, docks = ("vera@boats.example", False, True, None), ("vera@docks.example", False, False, None)

    def found():
        return [(one.email, one.primary, one.verified, one.visibility) for one in me.get_emails()]

    equal(found(), [primary, boats])
    me.add_to_emails("vera@docks.example")
    equal(found(), [primary, boats, docks])
    me.remove_from_emails("vera@docks.example")
    equal(found(), [primary, boats])
