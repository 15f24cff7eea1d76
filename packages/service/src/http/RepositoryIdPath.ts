/**
 * Paths with the id of a repository, which clients get from GitHub after a rename: `/repositories/7/issues` addresses
 * `/repos/OWNER/NAME/issues`. GitHub does not document them.
 */
import * as Effect from "effect/Effect"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"

const pattern = /^\/repositories\/(\d{1,15})(?=\/|$)/

/** No account has this login, so that an unknown id is answered as a repository that the caller cannot see. */
const NOBODY = "-"

/** Creates the function that replaces the id in a path by the full name. Other paths stay. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  return (path: string): Effect.Effect<string> => {
    const [prefix, id] = pattern.exec(path) ?? []
    if (prefix === undefined) return Effect.succeed(path)
    return Effect.map(registry.byIds([Number(id)]), ([row]) => {
      const owner = row?.owner.login ?? NOBODY
      const name = row?.name ?? NOBODY
      return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}${path.slice(prefix.length)}`
    })
  }
})
