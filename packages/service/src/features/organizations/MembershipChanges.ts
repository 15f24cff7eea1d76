/** Changes of the members of an organization, with what follows. All run in the transaction of the caller. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type OrganizationRole, OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import * as Shapes from "../../api/Shapes.ts"
import { timestamp } from "../../base/Time.ts"
import { Events } from "../../events/Events.ts"
import type { OrganizationEvent } from "../../events/NewEvent.ts"
import * as LostAssignments from "../../issues/LostAssignments.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"
import * as TeamChanges from "./TeamChanges.ts"
import * as MemberShapes from "./MemberShapes.ts"
import { type OrganizationInvitationRow, OrganizationInvitationRows } from "./OrganizationInvitationRows.ts"
import { OrganizationMemberRows } from "./OrganizationMemberRows.ts"

type ChangeContext = Pick<OrganizationEvent, "actor" | "organization">

/** Maximum number of invitations to an organization in 24 hours. */
const MAX_DAILY_INVITATIONS = 50
const DAY = 24 * 3_600_000

const unprocessable = (message: string) =>
  ApiError.invalid(message, [{ resource: "OrganizationInvitation", field: "data", code: "unprocessable", message }])

export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const events = yield* Events
  const invitations = yield* OrganizationInvitationRows
  const lost = yield* LostAssignments.make
  const members = yield* OrganizationMemberRows
  const organizations = yield* OrganizationRows
  const publicUrl = yield* PublicUrl
  const teamChanges = yield* TeamChanges.make
  const teams = yield* TeamRows

  const announce = Effect.fnUntraced(function* (
    at: ChangeContext,
    user: UserRow,
    role: OrganizationRole,
    action: "member_added" | "member_removed"
  ) {
    const membership = MemberShapes.ownMembership(at.organization, user, role, "active", yield* publicUrl.urls)
    yield* events.announceInOrganization({ ...at, event: "organization", action, payload: { membership } })
  })

  /** Fails for the only owner, without whom nobody could administer the organization. */
  const checkOtherOwner = Effect.fnUntraced(function* ({ organization }: ChangeContext, role: OrganizationRole) {
    if (role === "owner" && (yield* members.countOwners(organization.id)) === 1)
      return yield* ApiError.forbidden(`${organization.login} needs another owner first`)
  })

  /** Returns the role of a member. Concurrent changes of the organization's members wait. */
  const roleOf = Effect.fnUntraced(function* ({ organization }: ChangeContext, user: UserRow) {
    yield* teams.lock(organization.id)
    return yield* organizations.role(organization.id, user.id)
  })

  const invite = Effect.fnUntraced(function* (
    at: ChangeContext,
    user: UserRow,
    role: OrganizationRole,
    teamIds: ReadonlyArray<number>
  ) {
    const { actor, organization } = at
    const isBlocked =
      (yield* blocks.has(actor.id, user.id)) ||
      (yield* blocks.has(organization.id, user.id)) ||
      (yield* blocks.has(user.id, actor.id))
    if (isBlocked) return yield* unprocessable(`${user.login} cannot be invited`)
    const now = yield* Clock.currentTimeMillis
    if ((yield* invitations.countAfter(organization.id, timestamp(now - DAY))) >= MAX_DAILY_INVITATIONS)
      return yield* unprocessable(
        `At most ${MAX_DAILY_INVITATIONS} people can be invited to an organization in 24 hours`
      )
    const row = yield* invitations.add({
      organizationId: organization.id,
      inviteeId: user.id,
      inviterId: actor.id,
      role,
      teamIds,
      createdAt: timestamp(now)
    })
    const urls = yield* publicUrl.urls
    const payload = {
      invitation: MemberShapes.invitation(row, organization, urls),
      user: Shapes.userSummary(user, urls)
    }
    yield* events.announceInOrganization({ ...at, event: "organization", action: "member_invited", payload })
    return row
  })

  return {
    /** Invites an account that is no member. */
    invite: Effect.fnUntraced(function* (
      at: ChangeContext,
      user: UserRow,
      role: OrganizationRole,
      teamIds: ReadonlyArray<number>
    ) {
      if ((yield* roleOf(at, user)) !== undefined)
        return yield* unprocessable("Invitee is already a part of this organization")
      return yield* invite(at, user, role, teamIds)
    }),

    /** Changes the role of a member, or invites the account. Returns the state of the membership. */
    set: Effect.fnUntraced(function* (at: ChangeContext, user: UserRow, role: OrganizationRole) {
      const before = yield* roleOf(at, user)
      if (before === undefined) {
        yield* invite(at, user, role, [])
        return "pending" as const // literal type
      }
      if (before !== role) {
        if (role === "member") yield* checkOtherOwner(at, before)
        yield* organizations.setRole(at.organization.id, user.id, role)
        if (role === "member") yield* lost.ofOwner(at.actor, at.organization.id, [user])
      }
      return "active" as const // literal type
    }),

    /** Accepts an invitation: the account joins the organization and the teams. */
    join: Effect.fnUntraced(function* (at: ChangeContext, user: UserRow, invitation: OrganizationInvitationRow) {
      const { organization } = at
      yield* teams.lock(organization.id)
      const roles = yield* invitations.teams(invitation.id)
      yield* invitations.remove(invitation.id)
      yield* organizations.setRole(organization.id, user.id, invitation.role)
      yield* announce(at, user, invitation.role, "member_added")
      for (const team of yield* teams.byIds(organization.id, [...roles.keys()]))
        yield* teamChanges.setMember(at, team, user, roles.get(team.id) ?? "member")
    }),

    /** Removes a member, who loses all roles in the organization. Returns false if the account is no member. */
    remove: Effect.fnUntraced(function* (at: ChangeContext, user: UserRow) {
      const { actor, organization } = at
      const role = yield* roleOf(at, user)
      if (role === undefined) return false
      yield* checkOtherOwner(at, role)
      yield* members.remove(organization.id, user.id)
      yield* members.removeCollaborations(organization.id, user.id)
      yield* lost.ofOwner(actor, organization.id, [user])
      yield* announce(at, user, role, "member_removed")
      return true
    }),

    /** Converts a member, who keeps the roles by teams and of its own. Returns false if the account is no member. */
    convert: Effect.fnUntraced(function* (at: ChangeContext, user: UserRow) {
      const { actor, organization } = at
      const role = yield* roleOf(at, user)
      if (role === undefined) return false
      yield* checkOtherOwner(at, role)
      const kept = yield* members.direct(organization.id, user.id)
      yield* members.remove(organization.id, user.id)
      for (const { permission, repositoryId } of kept)
        yield* organizations.setCollaboration(repositoryId, user.id, permission)
      yield* lost.ofOwner(actor, organization.id, [user])
      yield* announce(at, user, role, "member_removed")
      return true
    })
  }
})
