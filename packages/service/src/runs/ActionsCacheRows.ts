/** Database rows of the caches of workflows. Their content stays with the programs that run the workflows. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageRequest } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import * as PageCache from "../storage/PageCache.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

export const ActionsCacheRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  ref: Schema.String,
  key: Schema.String,
  version: Schema.String,
  size_in_bytes: Schema.Int,
  created_at: Schema.String,
  last_accessed_at: Schema.String
})
export type ActionsCacheRow = typeof ActionsCacheRow.Type

const Usage = Schema.Struct({ count: Schema.Int, size: Schema.Int })
const one = decodeFirstRow(ActionsCacheRow)
const all = decodeRows(ActionsCacheRow)
const usage = decodeFirstRow(Usage)

export interface CacheFilter {
  readonly ref: string | undefined
  /** Start of the key. */
  readonly key: string | undefined
  readonly sort: "created_at" | "last_accessed_at" | "size_in_bytes"
  readonly descending: boolean
}

/** Reads and writes caches. */
export class ActionsCacheRows extends Context.Service<
  ActionsCacheRows,
  {
    list(repositoryId: number, filter: CacheFilter, page: PageRequest): Effect.Effect<PageCache.Page<ActionsCacheRow>>
    /** Adds a cache, or sets the size of the equal one, which counts as used now. */
    put(
      cache: Omit<ActionsCacheRow, "id" | "created_at" | "last_accessed_at"> & {
        readonly created_at?: string | undefined
      }
    ): Effect.Effect<ActionsCacheRow>
    /** Deletes the cache with an id, and returns it. */
    remove(repositoryId: number, id: number): Effect.Effect<ActionsCacheRow | undefined>
    /** Deletes the caches with a key, and returns them. */
    removeByKey(
      repositoryId: number,
      key: string,
      ref: string | undefined
    ): Effect.Effect<ReadonlyArray<ActionsCacheRow>>
    usage(repositoryId: number): Effect.Effect<typeof Usage.Type>
    usageOfOwner(ownerId: number): Effect.Effect<typeof Usage.Type>
  }
>()("@tongs/service/runs/ActionsCacheRows") {
  static readonly layer = Layer.effect(
    ActionsCacheRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pages = PageCache.make(yield* StoreRevision, ActionsCacheRow)
      const sum = (where: Fragment) =>
        requireRow(
          usage(sql`
            SELECT count(*) AS count, CAST(coalesce(sum(c.size_in_bytes), 0) AS BIGINT) AS size
            FROM actions_caches c JOIN repositories r ON r.id = c.repository_id WHERE ${where}`)
        )

      return ActionsCacheRows.of({
        list: (repositoryId, { descending, key, ref, sort }, range) => {
          const where = sql.and([
            sql`repository_id = ${repositoryId}`,
            ...(ref === undefined ? [] : [sql`ref = ${ref}`]),
            ...(key === undefined ? [] : [sql`substr(key, 1, ${[...key].length}) = ${key}`])
          ])
          const direction = sql.literal(descending ? "DESC" : "ASC")
          const chosen = sql`
            WHERE ${where} ORDER BY ${sql(sort)} ${direction}, id ${direction} LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count FROM actions_caches WHERE ${where}`
          return pages({
            key: chosen,
            range,
            rows: () => sql`SELECT *, (${count}) AS total FROM actions_caches ${chosen}`,
            count: () => count
          })
        },
        put: Effect.fn("ActionsCacheRows.put")(function* ({ created_at, ...cache }) {
          const now = created_at ?? timestamp(yield* Clock.currentTimeMillis)
          return yield* requireRow(
            one(sql`
              INSERT INTO actions_caches ${sql.insert({ ...cache, created_at: now, last_accessed_at: now })}
              ON CONFLICT (repository_id, ref, key, version) DO UPDATE SET
                size_in_bytes = excluded.size_in_bytes, last_accessed_at = excluded.last_accessed_at
              RETURNING *`)
          )
        }),
        remove: (repositoryId, id) =>
          one(sql`DELETE FROM actions_caches WHERE repository_id = ${repositoryId} AND id = ${id} RETURNING *`),
        removeByKey: (repositoryId, key, ref) =>
          all(sql`
            DELETE FROM actions_caches WHERE repository_id = ${repositoryId} AND key = ${key}
            ${ref === undefined ? sql`` : sql`AND ref = ${ref}`} RETURNING *`),
        usage: (repositoryId) => sum(sql`c.repository_id = ${repositoryId}`),
        usageOfOwner: (ownerId) => sum(sql`r.owner_id = ${ownerId}`)
      })
    })
  )
}
