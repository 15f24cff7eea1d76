import * as Effect from "effect/Effect"
import { Blocks as Contract } from "@tongs/core/contract/groups/Blocks"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { BlockRows } from "./BlockRows.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import type { Urls } from "../../api/Urls.ts"
import type { PageRequest } from "../../base/Paging.ts"
import * as Shapes from "../../api/Shapes.ts"
import { SubscriptionRows } from "../../notifications/SubscriptionRows.ts"
import * as Transaction from "../../storage/Transaction.ts"

const cannotBlock = (message: string) =>
  ApiError.invalid(message, [{ resource: "User", field: "username", code: "unprocessable", message }])

export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const members = yield* OrganizationRows
  const subscriptions = yield* SubscriptionRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const account = (login: string) =>
    Effect.flatMap(users.byLogin(login), (row) =>
      row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
    )

  const list = Effect.fnUntraced(function* (ownerId: number, page: PageRequest, urls: Urls) {
    const { items, total } = yield* blocks.list(ownerId, page)
    return { items: items.map((row) => Shapes.userSummary(row, urls)), total }
  })

  const check = Effect.fnUntraced(function* (ownerId: number, username: string) {
    const { id } = yield* account(username)
    if (!(yield* blocks.has(ownerId, id))) return yield* ApiError.notFound()
  })

  /** Finds a user who can be blocked. */
  const blockable = Effect.fnUntraced(function* (username: string, self: UserRow) {
    const user = yield* account(username)
    if (user.id === self.id) return yield* cannotBlock("You cannot block yourself")
    if (user.type === "Organization")
      return yield* cannotBlock(`${user.login} is an organization. Only users can be blocked`)
    return user
  })

  /** Blocks a user, and ends what ties the two. */
  const block = Effect.fnUntraced(function* (ownerId: number, id: number) {
    yield* blocks.add(ownerId, id)
    yield* blocks.endTies(ownerId, id)
    yield* subscriptions.unwatchOwned(id, ownerId)
  })

  return group(Contract)({
    *listBlockedByAuthenticatedUser(_, { caller, page, urls }) {
      return yield* list(caller.user.id, page, urls)
    },
    *checkBlocked({ username }, { caller }) {
      yield* check(caller.user.id, username)
    },
    *block({ username }, { caller: { user } }) {
      const { id } = yield* blockable(username, user)
      yield* transaction(block(user.id, id))
    },
    *unblock({ username }, { caller }) {
      const { id } = yield* account(username)
      yield* blocks.remove(caller.user.id, id)
    },
    *listForOrg(_, { organization, page, urls }) {
      return yield* list(organization.id, page, urls)
    },
    *checkForOrg({ username }, { organization }) {
      yield* check(organization.id, username)
    },
    *blockForOrg({ username }, { caller, organization }) {
      const { id, login } = yield* blockable(username, caller.user)
      yield* transaction(
        Effect.gen(function* () {
          if ((yield* members.role(organization.id, id)) !== undefined)
            return yield* cannotBlock(`${login} is a member of ${organization.login}. Remove the member first`)
          yield* block(organization.id, id)
        })
      )
    },
    *unblockForOrg({ username }, { organization }) {
      const { id } = yield* account(username)
      yield* blocks.remove(organization.id, id)
    }
  })
})
