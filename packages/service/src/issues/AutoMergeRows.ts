/** Database rows of automatic merges: who enabled them, with which rights. `PullRequestRows` reads the rest. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { DeferredRights } from "../access/DeferredRights.ts"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import type { PullRequestRow } from "./PullRequestRows.ts"

/** How a pull request is to be merged, and for whom. */
export type NewAutoMerge = Omit<NonNullable<PullRequestRow["auto_merge"]>, "enabled_at" | "enabled_by"> & {
  readonly rights: DeferredRights
}

/** What decides whether the merge is still allowed. */
const AutoMergeGrant = Schema.Struct({
  rights: Schema.fromJsonString(DeferredRights),
  /** When the account was suspended. Null for an account that may sign in. */
  suspended_at: Schema.NullOr(Schema.String)
})
export type AutoMergeGrant = typeof AutoMergeGrant.Type

const grant = decodeFirstRow(AutoMergeGrant)
const ids = decodeRows(Schema.Struct({ issue_id: Schema.Int }))

export class AutoMergeRows extends Context.Service<
  AutoMergeRows,
  {
    grant(issueId: number): Effect.Effect<AutoMergeGrant | undefined>
    /** Returns the ids of the issues of all open pull requests with an automatic merge. */
    readonly pending: Effect.Effect<ReadonlyArray<number>>
    /** Returns the ids of those whose head is a commit. */
    ofHead(repositoryId: number, oid: string): Effect.Effect<ReadonlyArray<number>>
    /** Adds an automatic merge, or replaces that of the pull request. */
    set(issueId: number, userId: number, merge: NewAutoMerge, enabledAt: string): Effect.Effect<void>
    remove(issueId: number): Effect.Effect<void>
  }
>()("@tongs/service/issues/AutoMergeRows") {
  static readonly layer = Layer.effect(
    AutoMergeRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const idsOf = (query: Parameters<typeof ids>[0]) =>
        Effect.map(ids(query), (rows) => rows.map(({ issue_id }) => issue_id))
      const open = sql`auto_merges a JOIN issues i ON i.id = a.issue_id AND i.state = 'open'`

      return AutoMergeRows.of({
        grant: (issueId) =>
          grant(sql`
            SELECT a.rights, u.suspended_at FROM auto_merges a JOIN users u ON u.id = a.user_id
            WHERE a.issue_id = ${issueId}`),
        pending: idsOf(sql`SELECT a.issue_id FROM ${open} ORDER BY a.issue_id`),
        ofHead: (repositoryId, oid) =>
          idsOf(sql`
            SELECT a.issue_id FROM ${open} JOIN pull_requests p ON p.issue_id = a.issue_id
            WHERE p.repository_id = ${repositoryId} AND p.head_sha = ${oid} ORDER BY a.issue_id`),
        set: (issueId, userId, { rights, ...merge }, enabledAt) => {
          const row = {
            ...merge,
            issue_id: issueId,
            user_id: userId,
            rights: JSON.stringify(rights),
            enabled_at: enabledAt
          }
          return run(sql`
            INSERT INTO auto_merges ${sql.insert(row)} ON CONFLICT (issue_id) DO UPDATE SET
              user_id = excluded.user_id, rights = excluded.rights, method = excluded.method, title = excluded.title,
              message = excluded.message, author_email = excluded.author_email, enabled_at = excluded.enabled_at`)
        },
        remove: (issueId) => run(sql`DELETE FROM auto_merges WHERE issue_id = ${issueId}`)
      })
    })
  )
}
