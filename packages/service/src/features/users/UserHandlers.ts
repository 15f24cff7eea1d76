import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Users as Contract } from "@tongs/core/contract/Users"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Handlers of users. */
export const make = Effect.gen(function* () {
  const users = yield* UserRows
  const registry = yield* RepositoryRegistry
  const shape = (row: UserRow, urls: Urls) =>
    Effect.map(registry.list, (all) =>
      Shapes.user(row, all.filter((one) => one.owner.id === row.id && one.private === 0).length, urls)
    )
  return group(Contract)({
    *getAuthenticated(_, { caller, urls }) {
      const user = yield* shape(caller.user, urls)
      if (!caller.scopes.includes("user")) return user
      const hidden = (yield* registry.list).filter((one) => one.owner.id === caller.user.id && one.private === 1).length
      return {
        ...user,
        two_factor_authentication: false,
        private_gists: 0,
        total_private_repos: hidden,
        owned_private_repos: hidden,
        disk_usage: 0,
        collaborators: 0
      }
    },
    *getByUsername({ username }, { urls }) {
      const row = yield* users.byLogin(username)
      return yield* Option.isSome(row) ? shape(row.value, urls) : Effect.fail(ApiError.notFound())
    }
  })
})
