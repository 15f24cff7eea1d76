/** Database rows of saved searches. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

export const SavedSearchRow = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  query: Schema.String,
  /** Digests of the results that were seen (`SeenResults`). */
  seen: Schema.instanceOf(Uint8Array),
  /** 0 if `seen` was not complete. */
  is_exact: Schema.Int,
  created_at: Schema.String,
  seen_at: Schema.String
})
export type SavedSearchRow = typeof SavedSearchRow.Type

/** Changes of a row. Missing fields keep the stored values. */
export type SavedSearchChange = Partial<Omit<SavedSearchRow, "id" | "created_at">>

/** The user already has a search with this name. */
export class SearchNameTaken extends Schema.TaggedError<SearchNameTaken>()("SearchNameTaken", {
  name: Schema.String
}) {}

const one = decodeFirstRow(SavedSearchRow)
const many = decodeRows(SavedSearchRow)

export class SavedSearchRows extends Context.Service<
  SavedSearchRows,
  {
    /** Returns a user's searches, sorted by name. */
    list(userId: number, page: PageRequest): Effect.Effect<Slice<SavedSearchRow>>
    find(userId: number, id: number): Effect.Effect<SavedSearchRow | undefined>
    count(userId: number): Effect.Effect<number>
    add(userId: number, row: Omit<SavedSearchRow, "id">): Effect.Effect<SavedSearchRow, SearchNameTaken>
    update(userId: number, id: number, change: SavedSearchChange): Effect.Effect<void, SearchNameTaken>
    remove(userId: number, id: number): Effect.Effect<void>
  }
>()("@tongs/service/features/savedSearches/SavedSearchRows") {
  static readonly layer = Layer.effect(
    SavedSearchRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, name } = SqlFragments.make(sql)
      const count = (userId: number) =>
        decodeCount(sql`SELECT count(*) AS count FROM saved_searches WHERE user_id = ${userId}`)
      return SavedSearchRows.of({
        list: Effect.fn("SavedSearches.list")(function* (userId: number, page: PageRequest) {
          const items = yield* many(sql`
            SELECT * FROM saved_searches WHERE user_id = ${userId}
            ORDER BY ${name("name")}, id LIMIT ${page.perPage} OFFSET ${page.offset}`)
          return { items, total: yield* count(userId) }
        }),
        find: (userId, id) => one(sql`SELECT * FROM saved_searches WHERE user_id = ${userId} AND id = ${id}`),
        count,
        add: Effect.fn("SavedSearches.add")(function* (userId: number, row: Omit<SavedSearchRow, "id">) {
          const [added] = yield* many(sql`
            INSERT INTO saved_searches ${sql.insert({ user_id: userId, ...row })} ON CONFLICT DO NOTHING RETURNING *`)
          return added ?? (yield* new SearchNameTaken({ name: row.name }))
        }),
        update: Effect.fn("SavedSearches.update")(function* (userId: number, id: number, change: SavedSearchChange) {
          const isFree =
            change.name === undefined
              ? sql`true`
              : sql`NOT EXISTS (SELECT 1 FROM saved_searches other
                  WHERE other.user_id = ${userId} AND ${hasName("other.name", change.name)} AND other.id <> ${id})`
          const [updated] = yield* many(sql`
            UPDATE saved_searches SET ${sql.update(change)}
            WHERE user_id = ${userId} AND id = ${id} AND ${isFree} RETURNING *`)
          if (updated === undefined) return yield* new SearchNameTaken({ name: change.name ?? "" })
        }),
        remove: (userId, id) =>
          Effect.orDie(Effect.asVoid(sql`DELETE FROM saved_searches WHERE user_id = ${userId} AND id = ${id}`))
      })
    })
  )
}
