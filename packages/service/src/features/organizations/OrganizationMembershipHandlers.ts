import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { OrganizationMemberships } from "@tongs/core/contract/groups/OrganizationMemberships"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as MembershipChanges from "./MembershipChanges.ts"
import * as MemberShapes from "./MemberShapes.ts"
import { OrganizationInvitationRows } from "./OrganizationInvitationRows.ts"
import { type MembershipRow, OrganizationMemberRows } from "./OrganizationMemberRows.ts"

/** Handlers of memberships. */
export const make = Effect.gen(function* () {
  const changes = yield* MembershipChanges.make
  const invitations = yield* OrganizationInvitationRows
  const members = yield* OrganizationMemberRows
  const organizations = yield* OrganizationRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const person = Effect.fnUntraced(function* (login: string) {
    const user = yield* users.byLogin(login)
    return user?.type === "User" ? user : yield* ApiError.notFound()
  })
  const organizationOf = Effect.fnUntraced(function* (login: string) {
    return (yield* organizations.byLogin(login)) ?? (yield* ApiError.notFound())
  })
  const shape = ({ organization, role, state }: MembershipRow, user: UserRow, urls: Urls) =>
    MemberShapes.membership(organization, user, role, state, urls)
  const expired = Effect.map(Clock.currentTimeMillis, MemberShapes.expiredUntil)

  const find = Effect.fnUntraced(function* (organizationId: number, user: UserRow) {
    return (yield* members.find(organizationId, user.id, yield* expired)) ?? (yield* ApiError.notFound())
  })

  return group(OrganizationMemberships)({
    *get({ username }, { organization, role, urls }) {
      const user = yield* person(username)
      const found = yield* find(organization.id, user)
      // Owners only see who is invited.
      return found.state === "pending" && role !== "admin" ? yield* ApiError.notFound() : shape(found, user, urls)
    },

    *set({ role = "member", username }, { caller, organization, urls }) {
      const user = yield* person(username)
      const rank = role === "admin" ? "owner" : "member"
      const state = yield* transaction(changes.set({ actor: caller.user, organization }, user, rank))
      return MemberShapes.membership(organization, user, rank, state, urls)
    },

    *remove({ username }, { caller, organization, role }) {
      const user = yield* person(username)
      if (user.id !== caller.user.id && role !== "admin")
        return yield* ApiError.forbidden("You must be an organization owner to remove other members.")
      yield* transaction(
        Effect.gen(function* () {
          if (yield* changes.remove({ actor: caller.user, organization }, user)) return
          const invitation = yield* invitations.ofInvitee(organization.id, user.id)
          if (invitation === undefined) return yield* ApiError.notFound()
          yield* invitations.remove(invitation.id)
        })
      )
    },

    *listForAuthenticatedUser({ state }, { caller, page, urls }) {
      const { items, total } = yield* members.ofUser(caller.user.id, state, yield* expired, page)
      return { items: items.map((row) => shape(row, caller.user, urls)), total }
    },

    *getForAuthenticatedUser({ org }, { caller, urls }) {
      const { id } = yield* organizationOf(org)
      return shape(yield* find(id, caller.user), caller.user, urls)
    },

    *updateForAuthenticatedUser({ org }, { caller, urls }) {
      const { user } = caller
      const organization = yield* organizationOf(org)
      yield* transaction(
        Effect.gen(function* () {
          const { state } = yield* find(organization.id, user)
          const invitation = state === "pending" ? yield* invitations.ofInvitee(organization.id, user.id) : undefined
          if (invitation !== undefined) yield* changes.join({ actor: user, organization }, user, invitation)
        })
      )
      return shape(yield* find(organization.id, user), user, urls)
    }
  })
})
