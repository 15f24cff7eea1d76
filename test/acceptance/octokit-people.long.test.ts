/** @octokit/rest calls every operation of people, teams, stars, watching and notifications, and reads typed results. */
import { expect, it } from "vitest"
import { expectRecent, fullNames, logins, one, servePeople, slugs, status } from "./PeopleForge.test-support.ts"

const ORG = "fleet"
const at = { owner: ORG, repo: "boats" }

it("Octokit: organizations and their members", async () => {
  const { as, octokit, rest } = await servePeople("vera")
  const { orgs } = rest
  const { data: updated } = await orgs.update({
    org: ORG,
    description: "Sails",
    default_repository_permission: "write"
  })
  expect([updated.description, updated.default_repository_permission, updated.name]).toEqual([
    "Sails",
    "write",
    "Fleet"
  ])
  expect(logins((await orgs.listForUser({ username: "walt" })).data)).toEqual([ORG])
  expect(logins((await orgs.listForUser({ username: "yuri" })).data)).toEqual([])
  expect(logins((await orgs.list()).data)).toContain(ORG)

  const members = await octokit.paginate(orgs.listMembers, { org: ORG, ...one })
  expect(logins(members)).toEqual(["vera", "walt", "yuri", "zoe"])
  expect(logins((await orgs.listMembers({ org: ORG, role: "admin" })).data)).toEqual(["vera"])
  expect(await status(orgs.checkMembershipForUser({ org: ORG, username: "yuri" }))).toBe(204)
  await orgs.removeMember({ org: ORG, username: "yuri" })
  expect(await status(orgs.checkMembershipForUser({ org: ORG, username: "yuri" }))).toBe(404)
  expect(logins(await octokit.paginate(orgs.listPublicMembers, { org: ORG, ...one }))).toEqual(["walt"])
  const vera = { org: ORG, username: "vera" }
  expect(await status(orgs.setPublicMembershipForAuthenticatedUser(vera))).toBe(204)
  expect(await status(orgs.checkPublicMembershipForUser(vera))).toBe(204)
  expect(await status(orgs.removePublicMembershipForAuthenticatedUser(vera))).toBe(204)
  expect(await status(orgs.checkPublicMembershipForUser(vera))).toBe(404)

  const carl = { org: ORG, username: "carl" }
  const { data: set } = await orgs.setMembershipForUser({ ...carl, role: "member" })
  expect([set.state, set.role, set.user?.login, set.organization.login]).toEqual(["pending", "member", "carl", ORG])
  const own = as("carl").rest.orgs
  const { data: pending } = await own.listMembershipsForAuthenticatedUser({ state: "pending" })
  expect(pending.map(({ organization }) => organization.login)).toEqual([ORG])
  expect((await own.updateMembershipForAuthenticatedUser({ org: ORG, state: "active" })).data.state).toBe("active")
  expect((await own.getMembershipForAuthenticatedUser({ org: ORG })).data.role).toBe("member")
  expect((await orgs.getMembershipForUser(carl)).data.state).toBe("active")
  expect(await status(orgs.removeMembershipForUser(carl))).toBe(204)
  expect(await status(orgs.getMembershipForUser(carl))).toBe(404)
})

it("Octokit: invitations to an organization, and outside collaborators", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { orgs, teams } = rest
  const [first] = await octokit.paginate(orgs.listPendingInvitations, { org: ORG, ...one })
  expect([first?.login, first?.role, first?.inviter.login, first?.team_count]).toEqual([
    "xena",
    "direct_member",
    "vera",
    1
  ])
  expectRecent(first?.created_at)
  const invitedTeams = await octokit.paginate(orgs.listInvitationTeams, {
    org: ORG,
    invitation_id: first?.id ?? 0,
    ...one
  })
  expect(slugs(invitedTeams)).toEqual(["sailors"])
  const { data: divers } = await teams.getByName({ org: ORG, team_slug: "divers" })
  const role = "admin" as const // a literal name
  const invitation = { org: ORG, email: "carl@fleet.example", role, team_ids: [divers.id] }
  const { data: created } = await orgs.createInvitation(invitation)
  expect([created.role, created.team_count]).toEqual(["admin", 1])
  expect(await status(orgs.cancelInvitation({ org: ORG, invitation_id: created.id }))).toBe(204)
  expect((await orgs.listPendingInvitations({ org: ORG })).data.map(({ login }) => login)).toEqual(["xena"])

  const outside = () => octokit.paginate(orgs.listOutsideCollaborators, { org: ORG, ...one })
  expect(logins(await outside())).toEqual(["adam"])
  await orgs.convertMemberToOutsideCollaborator({ org: ORG, username: "zoe" })
  expect(logins(await outside())).toEqual(["adam", "zoe"])
  expect(await status(orgs.removeOutsideCollaborator({ org: ORG, username: "adam" }))).toBe(204)
  expect(logins(await outside())).toEqual(["zoe"])
})

it("Octokit: teams, their members and repositories", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { repos, teams } = rest
  expect(slugs(await octokit.paginate(teams.list, { org: ORG, ...one }))).toEqual(["divers", "sailors"])
  const { data: team } = await teams.create({ org: ORG, name: "Deep Divers", description: "Dive", privacy: "closed" })
  expect([team.slug, team.privacy, team.members_count, team.organization.login]).toEqual([
    "deep-divers",
    "closed",
    1,
    ORG
  ])
  expectRecent(team.created_at)
  const { data: parent } = await teams.getByName({ org: ORG, team_slug: "sailors" })
  expect([parent.description, parent.members_count, parent.repos_count]).toEqual(["Hoist sails", 2, 1])
  const deep = { org: ORG, team_slug: team.slug }
  const { data: moved } = await teams.updateInOrg({ ...deep, parent_team_id: parent.id })
  expect(moved.parent?.slug).toBe("sailors")
  const children = await octokit.paginate(teams.listChildInOrg, { org: ORG, team_slug: "sailors", ...one })
  expect(slugs(children)).toEqual(["deep-divers", "divers"])
  expect(slugs(await octokit.paginate(teams.listForAuthenticatedUser, one))).toEqual(["deep-divers", "sailors"])
  const ofRepository = await octokit.paginate(repos.listTeams, { ...at, ...one })
  expect(ofRepository.find(({ slug }) => slug === "sailors")).toMatchObject({
    permission: "push",
    permissions: { push: true, admin: false }
  })

  const walt = { ...deep, username: "walt" }
  const { data: added } = await teams.addOrUpdateMembershipForUserInOrg({ ...walt, role: "maintainer" })
  expect([added.role, added.state]).toEqual(["maintainer", "active"])
  expect((await teams.getMembershipForUserInOrg(walt)).data.role).toBe("maintainer")
  expect(logins(await octokit.paginate(teams.listMembersInOrg, { ...deep, ...one }))).toEqual(["vera", "walt"])
  expect(await status(teams.removeMembershipForUserInOrg(walt))).toBe(204)
  expect(await status(teams.getMembershipForUserInOrg(walt))).toBe(404)

  const docks = { ...deep, owner: ORG, repo: "docks" }
  expect(await status(teams.addOrUpdateRepoPermissionsInOrg({ ...docks, permission: "maintain" }))).toBe(204)
  expect(await status(teams.checkPermissionsForRepoInOrg(docks))).toBe(204)
  const checked = await teams.checkPermissionsForRepoInOrg({ ...docks, mediaType: { format: "repository" } })
  expect(checked.data).toMatchObject({ full_name: "fleet/docks", permissions: { maintain: true, admin: false } })
  const listed = await octokit.paginate(teams.listReposInOrg, { ...deep, ...one })
  expect(fullNames(listed)).toEqual(["fleet/boats", "fleet/docks"])
  expect(listed.find(({ name }) => name === "docks")?.permissions).toMatchObject({ maintain: true, admin: false })
  expect(await status(teams.removeRepoInOrg(docks))).toBe(204)
  expect(await status(teams.checkPermissionsForRepoInOrg(docks))).toBe(404)
  expect(await status(teams.deleteInOrg(deep))).toBe(204)
  expect(await status(teams.getByName(deep))).toBe(404)
})

it("Octokit: collaborators, and invitations to a repository", async () => {
  const { as, octokit, rest } = await servePeople("vera")
  const { repos } = rest
  const bela = { ...at, username: "bela" }
  const outside = await octokit.paginate(repos.listCollaborators, { ...at, affiliation: "outside", ...one })
  expect(outside.map(({ login, permissions, role_name }) => [login, role_name, permissions?.pull])).toEqual([
    ["adam", "read", true]
  ])
  expect(await status(repos.checkCollaborator({ ...at, username: "adam" }))).toBe(204)
  expect(await status(repos.checkCollaborator(bela))).toBe(404)
  const { data: permission } = await repos.getCollaboratorPermissionLevel({ ...at, username: "zoe" })
  expect([permission.permission, permission.role_name, permission.user?.login]).toEqual(["read", "triage", "zoe"])

  const added = await repos.addCollaborator({ ...bela, permission: "triage" })
  expect([added.status, added.data.permissions, added.data.invitee?.login]).toEqual([201, "triage", "bela"])
  const [invitation] = await octokit.paginate(repos.listInvitations, { ...at, ...one })
  expect([invitation?.id, invitation?.inviter?.login, invitation?.expired]).toEqual([added.data.id, "vera", false])
  const invitation_id = added.data.id
  const { data: updated } = await repos.updateInvitation({ ...at, invitation_id, permissions: "write" })
  expect(updated.permissions).toBe("write")
  const own = as("bela")
  const invitations = await own.paginate(own.rest.repos.listInvitationsForAuthenticatedUser, one)
  expect(invitations.map(({ repository }) => repository.name).toSorted()).toEqual(["boats", "docks"])
  expect(await status(own.rest.repos.acceptInvitationForAuthenticatedUser({ invitation_id }))).toBe(204)
  const declined = { invitation_id: invitations.find(({ id }) => id !== invitation_id)?.id ?? 0 }
  expect(await status(own.rest.repos.declineInvitationForAuthenticatedUser(declined))).toBe(204)
  expect((await repos.getCollaboratorPermissionLevel(bela)).data.role_name).toBe("write")
  expect(await status(repos.removeCollaborator(bela))).toBe(204)
  expect(await status(repos.checkCollaborator(bela))).toBe(404)
  const again = await repos.addCollaborator(bela)
  expect(await status(repos.deleteInvitation({ ...at, invitation_id: again.data.id }))).toBe(204)
  expect((await repos.listInvitations(at)).data).toEqual([])
})

it("Octokit: stars and watching", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { activity } = rest
  expect(await octokit.paginate(activity.listReposStarredByAuthenticatedUser, one)).toEqual([])
  expect(await status(activity.checkRepoIsStarredByAuthenticatedUser(at))).toBe(404)
  expect(await status(activity.starRepoForAuthenticatedUser(at))).toBe(204)
  expect(await status(activity.checkRepoIsStarredByAuthenticatedUser(at))).toBe(204)
  const { data: starred } = await activity.listReposStarredByUser({ username: "walt" })
  expect(starred).toMatchObject([{ full_name: "fleet/boats", stargazers_count: 2 }])
  const mediaType = { format: "star" }
  const { data: mine } = await activity.listReposStarredByAuthenticatedUser({ mediaType })
  expect(mine).toMatchObject([{ repo: { full_name: "fleet/boats" } }])
  const gazers = await octokit.paginate(activity.listStargazersForRepo, { ...at, ...one, mediaType })
  expect(gazers).toMatchObject([
    { starred_at: "2026-01-01T00:00:00Z", user: { login: "walt" } },
    { user: { login: "vera" } }
  ])
  // Octokit has no method for the count.
  expect((await octokit.request("GET /repos/{owner}/{repo}/stargazers/count", at)).data).toEqual({ count: 2 })
  expect(await status(activity.unstarRepoForAuthenticatedUser(at))).toBe(204)
  expect((await rest.repos.get(at)).data.stargazers_count).toBe(1)

  expect(await status(activity.getRepoSubscription(at))).toBe(404)
  const { data: set } = await activity.setRepoSubscription({ ...at, subscribed: true })
  expect([set.subscribed, set.ignored, set.reason]).toEqual([true, false, null])
  expectRecent((await activity.getRepoSubscription(at)).data.created_at)
  expect(logins(await octokit.paginate(activity.listWatchersForRepo, { ...at, ...one }))).toEqual(["vera", "walt"])
  expect(fullNames(await octokit.paginate(activity.listWatchedReposForAuthenticatedUser, one))).toEqual(["fleet/boats"])
  const ofUser = await octokit.paginate(activity.listReposWatchedByUser, { username: "walt", ...one })
  expect(fullNames(ofUser)).toEqual(["fleet/boats"])
  expect(await status(activity.deleteRepoSubscription(at))).toBe(204)
  expect(await status(activity.getRepoSubscription(at))).toBe(404)
})

it("Octokit: notifications", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { activity } = rest
  const threads = await octokit.paginate(activity.listNotificationsForAuthenticatedUser, one)
  expect(threads.map(({ reason, subject, unread }) => [subject.title, reason, unread])).toEqual([
    ["Count the oars", "subscribed", true],
    ["Mend the sails", "mention", true],
    ["Tar the hull", "assign", true]
  ])
  const ids = threads.map(({ id }) => ({ thread_id: Number(id) }))
  const [third = { thread_id: 0 }, second = third, first = third] = ids
  expect(await status(activity.markThreadAsRead(first))).toBe(205)
  const { data: read } = await activity.getThread(first)
  expect([read.unread, read.subject.type, read.repository.full_name]).toEqual([false, "Issue", "fleet/boats"])
  expectRecent(read.last_read_at)
  expect((await activity.setThreadSubscription({ ...second, ignored: true })).data.ignored).toBe(true)
  const { data: subscription } = await activity.getThreadSubscriptionForAuthenticatedUser(second)
  expect([subscription.subscribed, subscription.ignored]).toEqual([false, true])
  expect(await status(activity.deleteThreadSubscription(second))).toBe(204)
  expect((await activity.getThreadSubscriptionForAuthenticatedUser(second)).data.subscribed).toBe(false)
  expect(await status(activity.markThreadAsDone(third))).toBe(204)
  const ofRepository = () => octokit.paginate(activity.listRepoNotificationsForAuthenticatedUser, { ...at, ...one })
  expect((await ofRepository()).map(({ subject }) => subject.title)).toEqual(["Mend the sails"])
  expect(await status(activity.markRepoNotificationsAsRead(at))).toBe(202)
  expect(await ofRepository()).toEqual([])
  expect(await status(activity.markNotificationsAsRead())).toBe(202)
  const { data: all } = await activity.listNotificationsForAuthenticatedUser({ all: true })
  expect(all.map(({ subject, unread }) => [subject.title, unread])).toEqual([
    ["Mend the sails", false],
    ["Tar the hull", false]
  ])
})

it("Octokit: comments on commits", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { repos } = rest
  const [commit] = (await repos.listCommits(at)).data
  const commit_sha = commit?.sha ?? ""
  const { data: created } = await repos.createCommitComment({
    ...at,
    commit_sha,
    body: "Well done",
    path: "README.md",
    line: 1
  })
  expect([created.body, created.commit_id, created.path, created.line, created.user?.login]).toEqual([
    "Well done",
    commit_sha,
    "README.md",
    1,
    "vera"
  ])
  expectRecent(created.created_at)
  const comment_id = created.id
  await repos.updateCommitComment({ ...at, comment_id, body: "Better" })
  expect((await repos.getCommitComment({ ...at, comment_id })).data.body).toBe("Better")
  const comments = await octokit.paginate(repos.listCommentsForCommit, { ...at, commit_sha, ...one })
  expect(comments.map(({ id }) => id)).toEqual([comment_id])
  expect(await status(repos.deleteCommitComment({ ...at, comment_id }))).toBe(204)
  expect((await repos.listCommitCommentsForRepo(at)).data).toEqual([])
})

it("Octokit: profiles, and users of the site", async () => {
  const { as, octokit, rest } = await servePeople("vera")
  const { users } = rest
  const { data: updated } = await users.updateAuthenticated({ bio: "Mends sails", hireable: true })
  expect([updated.bio, updated.hireable, updated.name]).toEqual(["Mends sails", true, "Vera Voss"])
  const all = logins(await octokit.paginate(users.list, one))
  expect(all).toEqual(expect.arrayContaining(["adam", "fleet", "nora", "vera", "walt", "zoe"]))
  const since = updated.id
  expect((await users.list({ since })).data.every(({ id }) => id > since)).toBe(true)
  const { data: byId } = await users.getById({ account_id: updated.id })
  expect([byId.login, byId.bio, byId.followers]).toEqual(["vera", "Mends sails", 2])

  // Octokit has no methods for GitHub Enterprise Server.
  const dora = { username: "dora" }
  const suspended = "/users/{username}/suspended"
  const admin = as("nora")
  expect(await status(octokit.request(`PUT ${suspended}`, dora))).toBe(404)
  expect(await status(admin.request(`PUT ${suspended}`, dora))).toBe(204)
  expect((await users.getByUsername(dora)).data).toHaveProperty("suspended_at", expect.any(String))
  expect(await status(admin.request(`DELETE ${suspended}`, dora))).toBe(204)
  expect((await users.getByUsername(dora)).data).not.toHaveProperty("suspended_at")
  expect(await status(admin.request("DELETE /admin/users/{username}", dora))).toBe(204)
  expect(await status(users.getByUsername(dora))).toBe(404)
})

it("Octokit: followers", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { users } = rest
  const walt = { username: "walt" }
  expect(logins(await octokit.paginate(users.listFollowersForAuthenticatedUser, one))).toEqual(["walt", "zoe"])
  expect(logins(await octokit.paginate(users.listFollowersForUser, { ...walt, ...one }))).toEqual(["zoe"])
  expect(await status(users.checkPersonIsFollowedByAuthenticated(walt))).toBe(404)
  expect(await status(users.follow(walt))).toBe(204)
  expect(await status(users.checkPersonIsFollowedByAuthenticated(walt))).toBe(204)
  expect(logins(await octokit.paginate(users.listFollowedByAuthenticatedUser, one))).toEqual(["walt"])
  const followed = await octokit.paginate(users.listFollowingForUser, { username: "zoe", ...one })
  expect(logins(followed)).toEqual(["vera", "walt"])
  const ofVera = { username: "vera", target_user: "walt" }
  expect(await status(users.checkFollowingForUser(ofVera))).toBe(204)
  expect(await status(users.unfollow(walt))).toBe(204)
  expect(await status(users.checkFollowingForUser(ofVera))).toBe(404)
})

it("Octokit: email addresses", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { users } = rest
  const primary = { email: "vera@fleet.example", primary: true, verified: true, visibility: "public" }
  const boats = { email: "vera@boats.example", primary: false, verified: true, visibility: null }
  const docks = { email: "vera@docks.example", primary: false, verified: false, visibility: null }
  const list = () => octokit.paginate(users.listEmailsForAuthenticatedUser, one)
  expect(await list()).toEqual([primary, boats])
  const emails = [docks.email]
  expect((await users.addEmailForAuthenticatedUser({ emails })).data).toEqual([docks])
  expect(await list()).toEqual([primary, boats, docks])
  expect(await status(users.deleteEmailForAuthenticatedUser({ emails }))).toBe(204)
  expect(await list()).toEqual([primary, boats])
  expect(await octokit.paginate(users.listPublicEmailsForAuthenticatedUser, one)).toEqual([primary])
  const hide = { visibility: "private" } as const // a literal visibility
  const { data: hidden } = await users.setPrimaryEmailVisibilityForAuthenticatedUser(hide)
  expect(hidden).toEqual([{ ...primary, ...hide }])
  expect((await users.listPublicEmailsForAuthenticatedUser()).data).toEqual([])
})

it("Octokit: GPG and SSH signing keys", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { users } = rest
  const username = "vera"
  const [gpg] = await octokit.paginate(users.listGpgKeysForAuthenticatedUser, one)
  expect([gpg?.key_id, gpg?.can_sign, gpg?.emails, gpg?.expires_at]).toEqual([
    "67D789D6632A1DB8",
    true,
    [{ email: "vera@fleet.example", verified: true }],
    "2036-01-01T12:00:00Z"
  ])
  expect(await status(users.deleteGpgKeyForAuthenticatedUser({ gpg_key_id: gpg?.id ?? 0 }))).toBe(204)
  expect(await octokit.paginate(users.listGpgKeysForUser, { username, ...one })).toEqual([])
  const armored_public_key = gpg?.raw_key ?? ""
  const { data: newGpg } = await users.createGpgKeyForAuthenticatedUser({ name: "again", armored_public_key })
  expect([newGpg.name, newGpg.key_id, newGpg.raw_key]).toEqual(["again", gpg?.key_id, armored_public_key])
  expect((await users.getGpgKeyForAuthenticatedUser({ gpg_key_id: newGpg.id })).data).toEqual(newGpg)
  expect((await users.listGpgKeysForUser({ username })).data).toEqual([newGpg])

  const [ssh] = await octokit.paginate(users.listSshSigningKeysForAuthenticatedUser, one)
  expect([ssh?.title, ssh?.key.split(" ")[0]]).toEqual(["boats", "ssh-ed25519"])
  expectRecent(ssh?.created_at)
  expect(await status(users.deleteSshSigningKeyForAuthenticatedUser({ ssh_signing_key_id: ssh?.id ?? 0 }))).toBe(204)
  expect(await octokit.paginate(users.listSshSigningKeysForUser, { username, ...one })).toEqual([])
  const { data: newSsh } = await users.createSshSigningKeyForAuthenticatedUser({ title: "again", key: ssh?.key ?? "" })
  expect([newSsh.title, newSsh.key]).toEqual(["again", ssh?.key])
  expect((await users.getSshSigningKeyForAuthenticatedUser({ ssh_signing_key_id: newSsh.id })).data).toEqual(newSsh)
  expect((await users.listSshSigningKeysForUser({ username })).data).toEqual([newSsh])
})

it("Octokit: users that an organization blocks", async () => {
  const { octokit, rest } = await servePeople("vera")
  const { orgs } = rest
  const xena = { org: ORG, username: "xena" }
  const list = async () => logins(await octokit.paginate(orgs.listBlockedUsers, { org: ORG, ...one }))
  expect(await list()).toEqual(["dora"])
  expect(await status(orgs.checkBlockedUser(xena))).toBe(404)
  expect(await status(orgs.blockUser(xena))).toBe(204)
  expect(await status(orgs.checkBlockedUser(xena))).toBe(204)
  expect(await list()).toEqual(["dora", "xena"])
  expect(await status(orgs.unblockUser(xena))).toBe(204)
  expect(await list()).toEqual(["dora"])
})
