/** Review comments on pull requests. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest } from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"

const side = Schema.optionalKey(Schema.Literals(["LEFT", "RIGHT"]))
const number = Schema.optionalKey(Schema.Int)

/** Position of a comment in the diff. A comment on a whole file has no lines. */
export const DiffPosition = Schema.Struct({
  position: number,
  original_position: number,
  start_line: number,
  original_start_line: number,
  start_side: side,
  line: number,
  original_line: number,
  side,
  subject_type: Schema.optionalKey(Schema.Literals(["line", "file"]))
})
export type DiffPosition = typeof DiffPosition.Type

/** A review comment. Timestamps are ISO 8601. */
export const ReviewCommentRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  /** null if the account was deleted. */
  user_id: Schema.NullOr(Schema.Int),
  pull_number: Schema.Int,
  review_id: Schema.NullOr(Schema.Int),
  in_reply_to_id: Schema.NullOr(Schema.Int),
  commit_id: Schema.String,
  original_commit_id: Schema.String,
  path: Schema.String,
  diff_hunk: Schema.String,
  place: Schema.fromJsonString(DiffPosition),
  body: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type ReviewCommentRow = typeof ReviewCommentRow.Type

/** Filter and order of a repository's comments. Ties are sorted by id. */
export interface ReviewCommentFilter {
  readonly order: "id" | "created_at" | "updated_at"
  readonly descending: boolean
  /** Selects comments updated after this time (ISO 8601). */
  readonly since?: string | undefined
}

const one = decodeFirstRow(ReviewCommentRow)
const all = decodeRows(ReviewCommentRow)

export class ReviewCommentRows extends Context.Service<
  ReviewCommentRows,
  {
    list(
      repositoryId: number,
      selection: ReviewCommentFilter,
      page: PageRequest
    ): Effect.Effect<ReadonlyArray<ReviewCommentRow>>
    count(repositoryId: number, selection: ReviewCommentFilter): Effect.Effect<number>
    find(repositoryId: number, id: number): Effect.Effect<ReviewCommentRow | undefined>
    /** Adds a comment with the given or next id. Does nothing if the id exists. */
    add(comment: Omit<ReviewCommentRow, "id"> & { readonly id?: number }): Effect.Effect<void>
    /** Replaces the text and gives the updated comment. */
    setBody(id: number, body: string): Effect.Effect<ReviewCommentRow | undefined>
  }
>()("@tongs/service/features/comments/ReviewCommentRows") {
  static readonly layer = Layer.effect(
    ReviewCommentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const issues = yield* IssueRows
      const selected = (repositoryId: number, { since = "" }: ReviewCommentFilter) =>
        sql`FROM review_comments WHERE repository_id = ${repositoryId} AND updated_at > ${since}`
      return ReviewCommentRows.of({
        list: (repositoryId, selection, { offset, perPage }) => {
          const direction = sql.literal(selection.descending ? "DESC" : "ASC")
          return all(sql`
            SELECT * ${selected(repositoryId, selection)}
            ORDER BY ${sql(selection.order)} ${direction}, id ${direction} LIMIT ${perPage} OFFSET ${offset}`)
        },
        count: (repositoryId, selection) =>
          decodeCount(sql`SELECT count(*) AS count ${selected(repositoryId, selection)}`),
        find: (repositoryId, id) =>
          one(sql`SELECT * FROM review_comments WHERE id = ${id} AND repository_id = ${repositoryId}`),
        add: ({ place, ...comment }) =>
          Effect.gen(function* () {
            yield* sql`
              INSERT INTO review_comments ${sql.insert({ ...comment, place: JSON.stringify(place) })}
              ON CONFLICT (id) DO NOTHING`
            // The number of the pull request is taken.
            yield* issues.reserveNumber(comment.repository_id, comment.pull_number)
          }).pipe(sql.withTransaction, Effect.orDie),
        setBody: Effect.fnUntraced(function* (id: number, body: string) {
          const updated_at = timestamp(yield* Clock.currentTimeMillis)
          return yield* one(
            sql`UPDATE review_comments SET ${sql.update({ body, updated_at })} WHERE id = ${id} RETURNING *`
          )
        })
      })
    })
  )
}
