import * as Effect from "effect/Effect"
import { type ActionsCache, ActionsCaches } from "@tongs/core/contract/groups/ActionsCaches"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import { ActionsCacheRows } from "../../runs/ActionsCacheRows.ts"
import * as RunShapes from "../../runs/RunShapes.ts"

/** Handlers of caches. */
export const make = Effect.gen(function* () {
  const rows = yield* ActionsCacheRows

  return group(ActionsCaches)({
    *list({ direction, key, ref, sort = "last_accessed_at" }, { page, repository }) {
      const filter = { key, ref, sort, descending: direction !== "asc" }
      const { items, total } = yield* rows.list(repository.row.id, filter, page)
      return {
        items: items.map(RunShapes.cache),
        total,
        wrap: (actions_caches: ReadonlyArray<ActionsCache>) => ({ total_count: total, actions_caches })
      }
    },

    *deleteByKey({ key, ref }, { repository }) {
      // go-github sends an empty reference for none.
      const removed = yield* rows.removeByKey(repository.row.id, key, ref === "" ? undefined : ref)
      if (removed.length === 0) return yield* ApiError.notFound()
      return { total_count: removed.length, actions_caches: removed.map(RunShapes.cache) }
    },

    *delete({ cache_id }, { repository }) {
      if ((yield* rows.remove(repository.row.id, cache_id)) === undefined) return yield* ApiError.notFound()
    },

    *getUsage(_, { repository }) {
      const { count, size } = yield* rows.usage(repository.row.id)
      return {
        full_name: repository.fullName,
        active_caches_size_in_bytes: size,
        active_caches_count: count
      }
    },

    *getUsageForOrg(_, { organization }) {
      const { count, size } = yield* rows.usageOfOwner(organization.id)
      return { total_active_caches_count: count, total_active_caches_size_in_bytes: size }
    }
  })
})
