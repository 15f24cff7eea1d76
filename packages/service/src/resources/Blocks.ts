import * as Effect from "effect/Effect"
import { Blocks as Contract } from "@tongs/core/contract/Blocks"
import { group } from "../http/Handlers.ts"
import * as Refusal from "../http/Refusal.ts"
import { Blocks } from "../storage/Blocks.ts"
import { Users } from "../storage/Users.ts"
import * as Shapes from "./Shapes.ts"

const cannotBlock = (message: string) =>
  Refusal.invalid(message, [{ resource: "User", field: "username", code: "unprocessable", message }])

export const make = Effect.gen(function* () {
  const blocks = yield* Blocks
  const users = yield* Users

  const account = (login: string) =>
    Effect.flatMap(users.byLogin(login), (row) => Effect.fromOption(row, () => Refusal.notFound()))

  return group(Contract)({
    *list(_, { caller, page, urls }) {
      const { items, total } = yield* blocks.list(caller.user.id, page)
      return { items: items.map((row) => Shapes.userSummary(row, urls)), total }
    },
    *check({ username }, { caller }) {
      const { id } = yield* account(username)
      if (!(yield* blocks.has(caller.user.id, id))) return yield* Refusal.notFound()
    },
    *block({ username }, { caller }) {
      const { id, login, type } = yield* account(username)
      if (id === caller.user.id) return yield* cannotBlock("You cannot block yourself")
      if (type === "Organization")
        return yield* cannotBlock(`${login} is an organization, and only users can be blocked`)
      yield* blocks.add(caller.user.id, id)
    },
    *unblock({ username }, { caller }) {
      const { id } = yield* account(username)
      yield* blocks.remove(caller.user.id, id)
    }
  })
})
