import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Users as Contract } from "@tongs/core/contract/Users"
import { Hosting } from "../Hosting.ts"
import { group } from "../http/Handlers.ts"
import * as Refusal from "../http/Refusal.ts"
import type { Urls } from "../http/Urls.ts"
import { type UserRow, Users } from "../storage/Users.ts"
import * as Shapes from "./Shapes.ts"

export const make = Effect.gen(function* () {
  const users = yield* Users
  const hosting = yield* Hosting
  const shape = (row: UserRow, urls: Urls) =>
    Effect.map(hosting.list, (all) =>
      Shapes.user(row, all.filter((one) => one.owner.id === row.id && one.private === 0).length, urls)
    )
  return group(Contract)({
    *me(_, { caller, urls }) {
      const user = yield* shape(caller.user, urls)
      return caller.scopes.includes("user") ? { ...user, two_factor_authentication: false } : user
    },
    *get({ username }, { urls }) {
      const row = yield* users.byLogin(username)
      return yield* Option.isSome(row) ? shape(row.value, urls) : Effect.fail(Refusal.notFound())
    }
  })
})
