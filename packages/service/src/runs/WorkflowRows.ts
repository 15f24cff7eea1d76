/** Database rows of workflows. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import * as PageCache from "../storage/PageCache.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

export const WorkflowRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  path: Schema.String,
  name: Schema.String,
  state: Schema.Literals(["active", "deleted", "disabled_manually"]),
  /** Id of the file on the default branch. Null if only other branches have the file. */
  blob: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type WorkflowRow = typeof WorkflowRow.Type

const one = decodeFirstRow(WorkflowRow)
const all = decodeRows(WorkflowRow)
const numbers = decodeFirstRow(Schema.Struct({ last_number: Schema.Int }))

/** Reads and writes workflows. */
export class WorkflowRows extends Context.Service<
  WorkflowRows,
  {
    /** Returns a page of the workflows that are not deleted, by id. */
    list(repositoryId: number, page: PageRequest): Effect.Effect<PageCache.Page<WorkflowRow>>
    /** Returns all workflows of a repository, also deleted ones. */
    all(repositoryId: number): Effect.Effect<ReadonlyArray<WorkflowRow>>
    find(repositoryId: number, id: number): Effect.Effect<WorkflowRow | undefined>
    byPath(repositoryId: number, path: string): Effect.Effect<WorkflowRow | undefined>
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, WorkflowRow>>
    /** Adds a workflow, or sets name and file of the one with this path and brings it back if it was deleted. */
    put(workflow: {
      readonly repositoryId: number
      readonly path: string
      readonly name: string
      readonly blob: string | null
    }): Effect.Effect<WorkflowRow>
    setState(id: number, state: WorkflowRow["state"]): Effect.Effect<void>
    /** Returns the number of the next run, in the transaction of the caller. */
    nextNumber(id: number): Effect.Effect<number>
  }
>()("@tongs/service/runs/WorkflowRows") {
  static readonly layer = Layer.effect(
    WorkflowRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const pages = PageCache.make(yield* StoreRevision, WorkflowRow)

      return WorkflowRows.of({
        list: (repositoryId, range) => {
          const where = sql`repository_id = ${repositoryId} AND state <> 'deleted'`
          const chosen = sql`WHERE ${where} ORDER BY id LIMIT ${range.perPage} OFFSET ${range.offset}`
          const count = sql`SELECT count(*) AS count FROM workflows WHERE ${where}`
          return pages({
            key: chosen,
            range,
            rows: () => sql`SELECT *, (${count}) AS total FROM workflows ${chosen}`,
            count: () => count
          })
        },
        all: (repositoryId) => all(sql`SELECT * FROM workflows WHERE repository_id = ${repositoryId} ORDER BY id`),
        find: (repositoryId, id) =>
          one(sql`SELECT * FROM workflows WHERE repository_id = ${repositoryId} AND id = ${id}`),
        byPath: (repositoryId, path) =>
          one(sql`SELECT * FROM workflows WHERE repository_id = ${repositoryId} AND path = ${path}`),
        byIds: (ids) =>
          Effect.map(
            all(sql`SELECT * FROM workflows WHERE ${isOneOf("id", ids)}`),
            (found) => new Map(found.map((row) => [row.id, row]))
          ),
        put: Effect.fn("WorkflowRows.put")(function* ({ repositoryId, ...given }) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          const row = { ...given, repository_id: repositoryId, state: "active", last_number: 0 }
          return yield* requireRow(
            one(sql`
              INSERT INTO workflows ${sql.insert({ ...row, created_at: now, updated_at: now })}
              ON CONFLICT (repository_id, path) DO UPDATE SET name = excluded.name, blob = excluded.blob,
                state = CASE WHEN workflows.state = 'deleted' THEN 'active' ELSE workflows.state END,
                updated_at = excluded.updated_at
              RETURNING *`)
          )
        }),
        setState: Effect.fn("WorkflowRows.setState")(function* (id, state) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          yield* Effect.orDie(sql`UPDATE workflows SET ${sql.update({ state, updated_at: now })} WHERE id = ${id}`)
        }),
        nextNumber: (id) =>
          Effect.map(
            requireRow(
              numbers(sql`UPDATE workflows SET last_number = last_number + 1 WHERE id = ${id} RETURNING last_number`)
            ),
            ({ last_number }) => last_number
          )
      })
    })
  )
}
