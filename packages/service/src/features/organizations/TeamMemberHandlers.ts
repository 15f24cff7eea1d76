import * as Effect from "effect/Effect"
import { TeamMembers } from "@tongs/core/contract/groups/TeamMembers"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as MembershipChanges from "./MembershipChanges.ts"
import { OrganizationInvitationRows } from "./OrganizationInvitationRows.ts"
import * as TeamChanges from "./TeamChanges.ts"
import { TeamMemberRows } from "./TeamMemberRows.ts"
import * as TeamShapes from "./TeamShapes.ts"
import * as TeamTarget from "./TeamTarget.ts"

/** Handlers of members of teams. */
export const make = Effect.gen(function* () {
  const changes = yield* TeamChanges.make
  const invitations = yield* OrganizationInvitationRows
  const members = yield* TeamMemberRows
  const memberships = yield* MembershipChanges.make
  const organizations = yield* OrganizationRows
  const target = yield* TeamTarget.make
  const transaction = yield* Transaction.make

  return group(TeamMembers)({
    *list({ role = "all", team_slug }, context) {
      const team = yield* target.find(team_slug, context)
      const { items, total } = yield* members.list(team, role, context.page)
      return { items: items.map((row) => Shapes.userSummary(row, context.urls)), total }
    },

    *get({ team_slug, username }, context) {
      const team = yield* target.find(team_slug, context)
      const user = yield* target.person(username)
      const found = yield* members.find(team, user.id)
      if (found === undefined) {
        const invitation = yield* invitations.ofInvitee(team.organization_id, user.id)
        const invited = invitation === undefined ? undefined : (yield* invitations.teams(invitation.id)).get(team.id)
        if (invited === undefined || !(yield* target.maintains(context, team))) return yield* ApiError.notFound()
        return TeamShapes.membership(team, user, invited, "pending", context.urls)
      }
      const { direct, owner, role } = found
      const shown = owner === 1 ? "maintainer" : direct === 1 ? role : "member"
      return TeamShapes.membership(team, user, shown, "active", context.urls)
    },

    *add({ role = "member", team_slug, username }, context) {
      const { caller, organization, urls } = context
      const team = yield* target.find(team_slug, context)
      yield* target.check(yield* target.maintains(context, team))
      const user = yield* target.person(username)
      const at = { actor: caller.user, organization }
      // The role is read in the transaction: a member who leaves at the same time must not stay in the team.
      const rank = yield* transaction(
        Effect.gen(function* () {
          const rank = yield* organizations.role(organization.id, user.id)
          if (rank !== undefined) {
            yield* changes.setMember(at, team, user, role)
            return rank
          }
          yield* target.check(context.role === "admin", "You must be an organization owner to invite people.")
          const known = yield* invitations.ofInvitee(organization.id, user.id)
          const { id } = known ?? (yield* memberships.invite(at, user, "member", []))
          yield* invitations.addTeam(id, team.id, role)
          return undefined
        })
      )
      if (rank === undefined) return TeamShapes.membership(team, user, role, "pending", urls)
      return TeamShapes.membership(team, user, rank === "owner" ? "maintainer" : role, "active", urls)
    },

    *remove({ team_slug, username }, context) {
      const { caller, organization } = context
      const team = yield* target.find(team_slug, context)
      const user = yield* target.person(username)
      if (user.id !== caller.user.id) yield* target.check(yield* target.maintains(context, team))
      yield* transaction(
        Effect.gen(function* () {
          const membership = yield* members.find(team, user.id)
          if (membership?.direct !== 1) return yield* ApiError.notFound()
          yield* changes.removeMember({ actor: caller.user, organization }, team, user)
        })
      )
    }
  })
})
