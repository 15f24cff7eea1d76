import * as Effect from "effect/Effect"
import { OrganizationMembers } from "@tongs/core/contract/groups/OrganizationMembers"
import { atLeast } from "../../access/Roles.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { SignedInOrganizationContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import type { Slice } from "../../base/Paging.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as MembershipChanges from "./MembershipChanges.ts"
import { OrganizationMemberRows } from "./OrganizationMemberRows.ts"

/** The roles by their names in requests. */
const roles = { admin: "owner", member: "member" } as const // by name

/** Handlers of members. */
export const make = Effect.gen(function* () {
  const changes = yield* MembershipChanges.make
  const members = yield* OrganizationMemberRows
  const organizations = yield* OrganizationRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const account = Effect.fnUntraced(function* (login: string) {
    return (yield* users.byLogin(login)) ?? (yield* ApiError.notFound())
  })

  const shapes = ({ items, total }: Slice<UserRow>, urls: Urls) => ({
    items: items.map((row) => Shapes.userSummary(row, urls)),
    total
  })

  const setPublic = Effect.fnUntraced(function* (
    username: string,
    isPublic: boolean,
    { caller, organization }: SignedInOrganizationContext
  ) {
    const user = yield* account(username)
    if (user.id !== caller.user.id) return yield* ApiError.forbidden("Only members show or hide their memberships.")
    yield* organizations.setPublic(organization.id, user.id, isPublic)
  })

  return group(OrganizationMembers)({
    *list({ filter = "all", role = "all" }, context) {
      const { organization, page, urls } = context
      if (filter !== "all") {
        if (context.role !== "admin") return yield* ApiError.invalid("Only owners can use this filter.")
        // No account of the forge has two-factor authentication, so none has an insecure one.
        if (filter === "2fa_insecure") return { items: [], total: 0 }
      }
      const byRole = role === "all" ? {} : { role: roles[role] }
      const seen = { ...byRole, onlyPublic: !atLeast(context.role, "write") }
      return shapes(yield* members.list(organization.id, seen, page), urls)
    },

    *check({ username }, { organization, role }) {
      const { id } = yield* account(username)
      const isMember = atLeast(role, "write")
        ? (yield* organizations.role(organization.id, id)) !== undefined
        : yield* members.isPublic(organization.id, id)
      if (!isMember) return yield* ApiError.notFound()
    },

    *remove({ username }, { caller, organization }) {
      const user = yield* account(username)
      const removed = yield* transaction(changes.remove({ actor: caller.user, organization }, user))
      if (!removed) return yield* ApiError.notFound()
    },

    *listPublic(_, { organization, page, urls }) {
      return shapes(yield* members.list(organization.id, { onlyPublic: true }, page), urls)
    },

    *checkPublic({ username }, { organization }) {
      const { id } = yield* account(username)
      if (!(yield* members.isPublic(organization.id, id))) return yield* ApiError.notFound()
    },

    *setPublic({ username }, context) {
      yield* setPublic(username, true, context)
    },

    *removePublic({ username }, context) {
      yield* setPublic(username, false, context)
    }
  })
})
