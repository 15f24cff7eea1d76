import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { OrganizationInvitations } from "@tongs/core/contract/groups/OrganizationInvitations"
import * as Shapes from "../../api/Shapes.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as MembershipChanges from "./MembershipChanges.ts"
import * as MemberShapes from "./MemberShapes.ts"
import { OrganizationInvitationRows } from "./OrganizationInvitationRows.ts"

/** Maximum number of teams of an invitation. */
const MAX_TEAMS = 100

/** Handlers of invitations to organizations. */
export const make = Effect.gen(function* () {
  const changes = yield* MembershipChanges.make
  const invitations = yield* OrganizationInvitationRows
  const teams = yield* TeamRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const find = Effect.fnUntraced(function* (organizationId: number, id: number) {
    return (yield* invitations.find(organizationId, id)) ?? (yield* ApiError.notFound())
  })

  const inviteeOf = Effect.fnUntraced(function* (id: number | undefined, email: string | undefined) {
    if (id === undefined && email === undefined) return yield* ApiError.invalid("Set invitee_id or email")
    const user = id === undefined ? yield* users.byEmail(email ?? "") : yield* users.byId(id)
    if (user?.type === "User") return user
    return yield* id === undefined
      ? ApiError.invalid("No account has this email address, and the forge sends no mail")
      : ApiError.notFound()
  })

  return group(OrganizationInvitations)({
    *list({ invitation_source = "all", role = "all" }, { organization, page, urls }) {
      // The forge has no other roles, and no program that invites.
      const isEmpty = role === "billing_manager" || role === "hiring_manager" || invitation_source === "scim"
      if (isEmpty) return { items: [], total: 0 }
      const rank = role === "all" ? undefined : role === "admin" ? "owner" : "member"
      const after = MemberShapes.expiredUntil(yield* Clock.currentTimeMillis)
      const { items, total } = yield* invitations.list(organization.id, rank, after, page)
      return { items: items.map((row) => MemberShapes.invitation(row, organization, urls)), total }
    },

    *create({ email, invitee_id, role, team_ids = [] }, { caller, organization, urls }) {
      if (team_ids.length > MAX_TEAMS) return yield* ApiError.invalid(`At most ${MAX_TEAMS} teams`)
      const row = yield* transaction(
        Effect.gen(function* () {
          const user = yield* inviteeOf(invitee_id, email)
          const found = yield* teams.byIds(organization.id, team_ids)
          if (found.length < new Set(team_ids).size)
            return yield* ApiError.invalid("team_ids has a team that the organization lacks")
          const ids = found.map(({ id }) => id)
          const rank = role === "admin" ? "owner" : "member"
          return yield* changes.invite({ actor: caller.user, organization }, user, rank, ids)
        })
      )
      return MemberShapes.invitation(row, organization, urls)
    },

    *cancel({ invitation_id }, { organization }) {
      yield* invitations.remove((yield* find(organization.id, invitation_id)).id)
    },

    *listTeams({ invitation_id }, { organization, page, urls }) {
      const { id } = yield* find(organization.id, invitation_id)
      const { items, total } = yield* teams.ofInvitation(id, page)
      return { items: items.map((row) => Shapes.team(row, urls)), total }
    }
  })
})
