/** Finds the release that a request names. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { ReleaseRows } from "../../releases/ReleaseRows.ts"
import * as DraftAccess from "./DraftAccess.ts"

export const make = Effect.gen(function* () {
  const rows = yield* ReleaseRows
  return {
    /** Finds a release. A draft is missing for callers who may not see it. */
    find: Effect.fnUntraced(function* (id: number, context: RepositoryContext) {
      const row = yield* rows.find(context.repository.row.id, id)
      const isHidden = row === undefined || (row.draft === 1 && !DraftAccess.seesDrafts(context))
      return isHidden ? yield* ApiError.notFound() : row
    })
  }
})
