/** Database rows of the statuses of commits. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import * as PageCache from "../storage/PageCache.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

export const StatusRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  sha: Schema.String,
  /** Compared without the case of ASCII letters. */
  context: Schema.String,
  state: Schema.Literals(["error", "failure", "pending", "success"]),
  description: Schema.NullOr(Schema.String),
  target_url: Schema.NullOr(Schema.String),
  /** Null if the account was deleted. */
  creator: Schema.NullOr(Schema.fromJsonString(UserRow)),
  created_at: Schema.String
})
export type StatusRow = typeof StatusRow.Type

export interface NewStatus extends Pick<StatusRow, "repository_id" | "sha" | "context" | "state" | "created_at"> {
  readonly description: string | null
  readonly target_url: string | null
  readonly creator_id: number
}

/** Numbers of the statuses of a commit: of the context, and of different contexts. */
const Counts = Schema.Struct({ statuses: Schema.Int, contexts: Schema.Int })

const one = decodeFirstRow(StatusRow)
const counts = decodeFirstRow(Counts)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const states = decodeRows(Schema.Struct({ state: StatusRow.fields.state, count: Schema.Int }))

type StatusPage = Effect.Effect<PageCache.Page<StatusRow>>

/** Reads and writes statuses. */
export class StatusRows extends Context.Service<
  StatusRows,
  {
    /** All statuses of a commit, the newest first. */
    list(repositoryId: number, sha: string, page: PageRequest): StatusPage
    /** The newest status of each context, the oldest first. */
    latest(repositoryId: number, sha: string, page: PageRequest): StatusPage
    /** Numbers of contexts by the state of their newest status. */
    states(
      repositoryId: number,
      sha: string
    ): Effect.Effect<ReadonlyArray<{ state: StatusRow["state"]; count: number }>>
    counts(repositoryId: number, sha: string, context: string): Effect.Effect<typeof Counts.Type>
    byId(id: number): Effect.Effect<StatusRow | undefined>
    /** Adds a status, which becomes the newest of its context, in the transaction of the caller. */
    add(status: NewStatus): Effect.Effect<StatusRow>
  }
>()("@tongs/service/checks/StatusRows") {
  static readonly layer = Layer.effect(
    StatusRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const pages = PageCache.make(yield* StoreRevision, StatusRow)
      const creator = sql.literal(accountJson(fragments, "u"))
      const from = sql.literal("commit_statuses s LEFT JOIN users u ON u.id = s.creator_id")

      const page = (where: Fragment, direction: "ASC" | "DESC", range: PageRequest) => {
        const chosen = sql`WHERE ${where} ORDER BY s.id ${sql.literal(direction)} LIMIT ${range.perPage} OFFSET ${range.offset}`
        const count = sql`SELECT count(*) AS count FROM commit_statuses s WHERE ${where}`
        return pages({
          key: chosen,
          range,
          rows: () => sql`SELECT s.*, ${creator} AS creator, (${count}) AS total FROM ${from} ${chosen}`,
          count: () => count
        })
      }

      const ofCommit = (repositoryId: number, sha: string) => sql`s.repository_id = ${repositoryId} AND s.sha = ${sha}`

      return StatusRows.of({
        byId: (id) =>
          Effect.map(page(sql`s.id = ${id}`, "ASC", { page: 1, offset: 0, perPage: 1 }), ({ items: [row] }) => row),
        list: (repositoryId, sha, range) => page(ofCommit(repositoryId, sha), "DESC", range),
        latest: (repositoryId, sha, range) =>
          page(sql`${ofCommit(repositoryId, sha)} AND s.is_latest = 1`, "ASC", range),
        states: (repositoryId, sha) =>
          states(sql`
            SELECT s.state, count(*) AS count FROM commit_statuses s
            WHERE ${ofCommit(repositoryId, sha)} AND s.is_latest = 1 GROUP BY s.state`),
        counts: (repositoryId, sha, context) =>
          requireRow(
            counts(sql`SELECT
              (SELECT count(*) FROM commit_statuses s
                WHERE ${ofCommit(repositoryId, sha)} AND ${fragments.hasName("s.context", context)}) AS statuses,
              (SELECT count(*) FROM commit_statuses s
                WHERE ${ofCommit(repositoryId, sha)} AND s.is_latest = 1) AS contexts`)
          ),
        add: Effect.fn("StatusRows.add")(function* (status) {
          yield* Effect.orDie(sql`
            UPDATE commit_statuses SET is_latest = 0
            WHERE repository_id = ${status.repository_id} AND sha = ${status.sha} AND is_latest = 1
              AND ${fragments.hasName("context", status.context)}`)
          const { id } = yield* requireRow(
            added(sql`INSERT INTO commit_statuses ${sql.insert({ ...status, is_latest: 1 })} RETURNING id`)
          )
          return yield* requireRow(one(sql`SELECT s.*, ${creator} AS creator FROM ${from} WHERE s.id = ${id}`))
        })
      })
    })
  )
}
