import * as Effect from "effect/Effect"
import { Users as Contract } from "@tongs/core/contract/groups/Users"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Numbers of public and private repositories. */
interface Counts {
  open: number
  hidden: number
}

const countByOwner = (all: ReadonlyArray<RepositoryRow>) => {
  const byOwner = new Map<number, Counts>()
  for (const { owner, private: isHidden } of all) {
    const counts = byOwner.get(owner.id) ?? { open: 0, hidden: 0 }
    if (isHidden === 1) counts.hidden += 1
    else counts.open += 1
    byOwner.set(owner.id, counts)
  }
  return byOwner
}

export const make = Effect.gen(function* () {
  const users = yield* UserRows
  const registry = yield* RepositoryRegistry
  /** Numbers of repositories by owner, and the counted list. */
  let counted: { readonly all: ReadonlyArray<RepositoryRow>; readonly byOwner: ReadonlyMap<number, Counts> } | undefined
  const countsOf = (owner: UserRow) =>
    Effect.map(registry.list, (all): Counts => {
      if (counted?.all !== all) counted = { all, byOwner: countByOwner(all) }
      return counted.byOwner.get(owner.id) ?? { open: 0, hidden: 0 }
    })
  const shape = (row: UserRow, urls: Urls) => Effect.map(countsOf(row), ({ open }) => Shapes.user(row, open, urls))
  return group(Contract)({
    *getAuthenticated(_, { caller, urls }) {
      const user = yield* shape(caller.user, urls)
      if (!caller.scopes.includes("user")) return user
      const { hidden } = yield* countsOf(caller.user)
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
      return row === undefined ? yield* ApiError.notFound() : yield* shape(row, urls)
    }
  })
})
