import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type SavedSearch, SavedSearches as Contract } from "@tongs/core/contract/groups/SavedSearches"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { Authenticated } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as CurrentResults from "./CurrentResults.ts"
import * as Input from "./SavedSearchInput.ts"
import { type SavedSearchRow, SavedSearchRows } from "./SavedSearchRows.ts"
import * as SeenResults from "./SeenResults.ts"
import * as SharedSearches from "./SharedSearches.ts"
import { requireRow } from "../../storage/RowDecoder.ts"

/** Maximum number of saved searches of a user. */
const MAX_SAVED = 100

const shape = ({ created_at, id, name, query, seen_at }: SavedSearchRow): SavedSearch => ({
  id,
  name,
  query,
  created_at: parseTimestamp(created_at),
  seen_at: parseTimestamp(seen_at)
})

export const make = Effect.gen(function* () {
  const rows = yield* SavedSearchRows
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const current = yield* CurrentResults.make
  const shared = SharedSearches.make()

  const own = (caller: Authenticated, id: number) =>
    Effect.flatMap(rows.find(caller.user.id, id), (row) =>
      row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
    )

  const now = Effect.map(Clock.currentTimeMillis, timestamp)

  /** The columns of a search whose present results count as seen. */
  const seenNow = Effect.fnUntraced(function* (query: CodeQuery, caller: Authenticated) {
    const { incomplete, results } = yield* current(query, caller)
    return { seen: SeenResults.encode(results), is_exact: incomplete.length === 0 ? 1 : 0, seen_at: yield* now }
  })

  return group(Contract)({
    *list(_, { caller, page }) {
      const { items, total } = yield* rows.list(caller.user.id, page)
      return { items: items.map(shape), total }
    },

    *listShared(_, { caller, page }) {
      const readable = yield* registry.open(yield* roles.readable(caller, yield* registry.list))
      return Paging.slice(yield* shared(readable), page)
    },

    *create({ name, query }, { caller }) {
      yield* Input.checkName(name)
      const parsed = yield* Input.parseQuery(query)
      if ((yield* rows.count(caller.user.id)) >= MAX_SAVED) {
        return yield* ApiError.invalid(`You have ${MAX_SAVED} saved searches, the maximum. Delete one`)
      }
      const row = { name, query, created_at: yield* now, ...(yield* seenNow(parsed, caller)) }
      return shape(yield* Effect.catchTag(rows.add(caller.user.id, row), "SearchNameTaken", () => Input.nameTaken))
    },

    *update({ name, query, search_id }, { caller }) {
      const before = yield* own(caller, search_id)
      if (name !== undefined) yield* Input.checkName(name)
      const parsed = query === undefined ? undefined : yield* Input.parseQuery(query)
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(parsed === undefined || query === undefined || query === before.query
          ? {}
          : { query, ...(yield* seenNow(parsed, caller)) })
      }
      if (Object.keys(change).length > 0) {
        yield* Effect.catchTag(rows.update(caller.user.id, search_id, change), "SearchNameTaken", () => Input.nameTaken)
      }
      return shape(yield* own(caller, search_id))
    },

    *delete({ search_id }, { caller }) {
      yield* own(caller, search_id)
      yield* rows.remove(caller.user.id, search_id)
    },

    *getNew({ search_id }, { caller }) {
      const { id, is_exact, name, query, seen, seen_at } = yield* own(caller, search_id)
      const { incomplete, results } = yield* current(yield* Input.parseQuery(query), caller)
      const fresh = SeenResults.newOf(seen, results)
      return {
        id,
        name,
        query,
        since: parseTimestamp(seen_at),
        count: fresh.length,
        incomplete: is_exact === 1 || incomplete.length > 0 ? incomplete : ["limit" as const],
        version: SeenResults.version(SeenResults.encode(results)),
        ...CurrentResults.hitsOf(fresh)
      }
    },

    *markSeen({ search_id, version }, { caller }) {
      const { query } = yield* own(caller, search_id)
      const change = yield* seenNow(yield* Input.parseQuery(query), caller)
      if (SeenResults.version(change.seen) !== version) {
        return yield* ApiError.conflict("The results have changed. Get the new ones first")
      }
      yield* Effect.catchTag(rows.update(caller.user.id, search_id, change), "SearchNameTaken", () =>
        ApiError.notFound()
      )
      return shape(yield* requireRow(rows.find(caller.user.id, search_id)))
    }
  })
})
