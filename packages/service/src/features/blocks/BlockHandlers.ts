import * as Effect from "effect/Effect"
import { Blocks as Contract } from "@tongs/core/contract/groups/Blocks"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { BlockRows } from "./BlockRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"
import { SubscriptionRows } from "../../notifications/SubscriptionRows.ts"
import * as Transaction from "../../storage/Transaction.ts"

const cannotBlock = (message: string) =>
  ApiError.invalid(message, [{ resource: "User", field: "username", code: "unprocessable", message }])

export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const subscriptions = yield* SubscriptionRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const account = (login: string) =>
    Effect.flatMap(users.byLogin(login), (row) =>
      row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
    )

  return group(Contract)({
    *listBlockedByAuthenticatedUser(_, { caller, page, urls }) {
      const { items, total } = yield* blocks.list(caller.user.id, page)
      return { items: items.map((row) => Shapes.userSummary(row, urls)), total }
    },
    *checkBlocked({ username }, { caller }) {
      const { id } = yield* account(username)
      if (!(yield* blocks.has(caller.user.id, id))) return yield* ApiError.notFound()
    },
    *block({ username }, { caller }) {
      const { id, login, type } = yield* account(username)
      if (id === caller.user.id) return yield* cannotBlock("You cannot block yourself")
      if (type === "Organization") return yield* cannotBlock(`${login} is an organization. Only users can be blocked`)
      yield* transaction(Effect.andThen(blocks.add(caller.user.id, id), subscriptions.unwatchOwned(id, caller.user.id)))
    },
    *unblock({ username }, { caller }) {
      const { id } = yield* account(username)
      yield* blocks.remove(caller.user.id, id)
    }
  })
})
