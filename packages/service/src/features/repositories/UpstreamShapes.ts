/** The members of a fork's resource with the repositories from which it was made. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import * as CacheDependencies from "../../git/values/CacheDependencies.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"

/** Creates the function that returns `parent` and `source` of a fork, without repositories hidden from the caller. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles

  return Effect.fnUntraced(function* ({ row }: ServedRepository, caller: Caller, urls: Urls) {
    const { parent_id, source_id } = row
    if (parent_id === null) return {}
    const rows = (yield* registry.list).filter(({ id }) => id === parent_id || id === source_id)
    const visible = yield* registry.open(yield* roles.visible(caller, rows))
    const shapes = yield* Effect.forEach(visible, (one) =>
      CacheDependencies.optional(
        Effect.map(Effect.all([GitFacts.read(one), roles.onRepository(caller, one.row)]), ([facts, role]) => ({
          id: one.row.id,
          shape: Shapes.repository(one, facts, role, urls)
        }))
      )
    )
    const shapeOf = (id: number | null) => shapes.find((one) => one?.id === id)?.shape
    const [parent, source] = [shapeOf(parent_id), shapeOf(source_id)]
    return { ...(parent === undefined ? {} : { parent }), ...(source === undefined ? {} : { source }) }
  })
})
