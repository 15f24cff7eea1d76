/** Comments on commits. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import * as RevisionCache from "../../storage/RevisionCache.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"
import { timestamp } from "../../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"

/** A comment on a commit. Timestamps are ISO 8601. */
export const CommitCommentRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  /** null if the account was deleted. */
  user_id: Schema.NullOr(Schema.Int),
  commit_id: Schema.String,
  path: Schema.NullOr(Schema.String),
  position: Schema.NullOr(Schema.Int),
  line: Schema.NullOr(Schema.Int),
  body: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type CommitCommentRow = typeof CommitCommentRow.Type

const one = decodeFirstRow(CommitCommentRow)
const all = decodeRows(CommitCommentRow)
const counts = decodeRows(Schema.Struct({ commit_id: Schema.String, count: Schema.Int }))

/** Maximum number of pages of commits with cached numbers of comments. */
const MAX_COUNTS = 200

export class CommitCommentRows extends Context.Service<
  CommitCommentRows,
  {
    /** A page of the comments on a commit, by default on all commits, sorted by id. */
    list(repositoryId: number, page: PageRequest, commit?: string): Effect.Effect<Slice<CommitCommentRow>>
    /** Number of comments by commit. Commits without comments are missing. */
    counts(repositoryId: number, commits: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, number>>
    find(repositoryId: number, id: number): Effect.Effect<CommitCommentRow | undefined>
    /** Adds a comment with the given or next id. Undefined if the id exists. */
    add(comment: Omit<CommitCommentRow, "id"> & { readonly id?: number }): Effect.Effect<CommitCommentRow | undefined>
    /** Replaces the text and gives the updated comment. */
    setBody(id: number, body: string): Effect.Effect<CommitCommentRow | undefined>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/features/comments/CommitCommentRows") {
  static readonly layer = Layer.effect(
    CommitCommentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { followIds, isOneOfTexts } = SqlFragments.make(sql)
      const known = RevisionCache.make<ReadonlyMap<string, number>>(yield* StoreRevision, MAX_COUNTS)
      return CommitCommentRows.of({
        list: Effect.fn("CommitCommentRows.list")(function* (repositoryId, { offset, perPage }, commit) {
          const ofCommit = commit === undefined ? sql`` : sql` AND commit_id = ${commit}`
          const where = sql`WHERE repository_id = ${repositoryId}${ofCommit}`
          return {
            items: yield* all(
              sql`SELECT * FROM commit_comments ${where} ORDER BY id LIMIT ${perPage} OFFSET ${offset}`
            ),
            total: yield* decodeCount(sql`SELECT count(*) AS count FROM commit_comments ${where}`)
          }
        }),
        counts: (repositoryId, commits) => {
          return known.get(
            `${repositoryId} ${commits.join(" ")}`,
            Effect.map(
              counts(sql`
                SELECT commit_id, count(*) AS count FROM commit_comments
                WHERE repository_id = ${repositoryId}
                  AND ${isOneOfTexts("commit_id", commits)}
                GROUP BY commit_id`),
              (rows) => new Map(rows.map(({ commit_id, count }) => [commit_id, count]))
            )
          )
        },
        find: (repositoryId, id) =>
          one(sql`SELECT * FROM commit_comments WHERE id = ${id} AND repository_id = ${repositoryId}`),
        add: (comment) =>
          Effect.tap(
            one(sql`INSERT INTO commit_comments ${sql.insert(comment)} ON CONFLICT (id) DO NOTHING RETURNING *`),
            () => (comment.id === undefined ? Effect.void : followIds("commit_comments"))
          ),
        setBody: Effect.fnUntraced(function* (id: number, body: string) {
          const updated_at = timestamp(yield* Clock.currentTimeMillis)
          return yield* one(
            sql`UPDATE commit_comments SET ${sql.update({ body, updated_at })} WHERE id = ${id} RETURNING *`
          )
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM commit_comments WHERE id = ${id}`))
      })
    })
  )
}
