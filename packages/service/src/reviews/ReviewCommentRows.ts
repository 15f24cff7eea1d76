/** Database rows of review comments on pull requests. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { Standing, standing } from "../issues/AuthorAssociation.ts"
import { IssueRows } from "../issues/IssueRows.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { ThreadPlace } from "./ReviewThreadRows.ts"

const side = Schema.optionalKey(Schema.Literals(["LEFT", "RIGHT"]))
const number = Schema.optionalKey(Schema.Int)

/** Position in the diff of a comment without a thread. A comment on a whole file has no lines. */
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

/** A review comment with its author and its thread. Timestamps are ISO 8601. */
export const ReviewCommentRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  /** Null if the account was deleted. */
  user_id: Schema.NullOr(Schema.Int),
  pull_number: Schema.Int,
  review_id: Schema.NullOr(Schema.Int),
  /** The first comment of the thread. */
  in_reply_to_id: Schema.NullOr(Schema.Int),
  commit_id: Schema.String,
  original_commit_id: Schema.String,
  path: Schema.String,
  diff_hunk: Schema.String,
  place: Schema.fromJsonString(DiffPosition),
  body: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String,
  /** Null if the database does not have the pull request: then `place` has the position. */
  thread_id: Schema.NullOr(Schema.Int),
  /** 1 if only its author sees the comment. */
  is_pending: Schema.Int,
  thread: Schema.NullOr(Schema.fromJsonString(ThreadPlace)),
  author: Schema.NullOr(Schema.fromJsonString(UserRow)),
  /** The relation of the author to the repository that the database knows. */
  standing: Standing,
  /** Number of reactions by content. */
  reactions: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))
})
export type ReviewCommentRow = typeof ReviewCommentRow.Type

/** The columns of a new comment. */
export type NewReviewComment = Omit<
  ReviewCommentRow,
  "id" | "thread" | "author" | "standing" | "reactions" | "thread_id" | "is_pending"
> &
  Partial<Pick<ReviewCommentRow, "id" | "thread_id" | "is_pending">>

/** The comments of a list: all of a repository, or those of a pull request, or of a review of a pull request. */
export interface ReviewCommentScope {
  readonly repositoryId: number
  readonly pullNumber?: number
  readonly reviewId?: number
}

/** Filter and order of comments. Ties are sorted by id. */
export interface ReviewCommentFilter {
  readonly order: "id" | "created_at" | "updated_at"
  readonly descending: boolean
  /** Selects comments updated after this time (ISO 8601). */
  readonly since?: string | undefined
}

const one = decodeFirstRow(ReviewCommentRow)
const all = decodeRows(ReviewCommentRow)
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes review comments. A reader sees their own pending comments, and no other ones. */
export class ReviewCommentRows extends Context.Service<
  ReviewCommentRows,
  {
    list(
      scope: ReviewCommentScope,
      selection: ReviewCommentFilter,
      readerId: number | undefined,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<ReviewCommentRow>; readonly total: number }>
    find(repositoryId: number, id: number, readerId: number | undefined): Effect.Effect<ReviewCommentRow | undefined>
    byIds(
      ids: ReadonlyArray<number>,
      readerId: number | undefined
    ): Effect.Effect<ReadonlyMap<number, ReviewCommentRow>>
    /** Returns the comments of threads by the ids of the threads, the oldest first. */
    ofThreads(
      threadIds: ReadonlyArray<number>,
      readerId: number | undefined
    ): Effect.Effect<ReadonlyMap<number, ReadonlyArray<ReviewCommentRow>>>
    /** Returns the comments of reviews by the ids of the reviews, the oldest first. */
    ofReviews(reviewIds: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, ReadonlyArray<ReviewCommentRow>>>
    /** Returns the comments of a review, the oldest first. */
    ofReview(reviewId: number): Effect.Effect<ReadonlyArray<ReviewCommentRow>>
    /** Adds a comment with the given or next id, and returns the id. Undefined if the id exists. */
    add(comment: NewReviewComment): Effect.Effect<number | undefined>
    setBody(id: number, body: string, updatedAt: string): Effect.Effect<void>
    /** Shows the comments of a pending review to everyone. */
    publish(reviewId: number): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    removeOfReview(reviewId: number): Effect.Effect<void>
  }
>()("@tongs/service/reviews/ReviewCommentRows") {
  static readonly layer = Layer.effect(
    ReviewCommentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const issues = yield* IssueRows
      const fragments = SqlFragments.make(sql)
      const { jsonMembers, jsonObject, jsonText } = fragments
      const thread = jsonObject(Object.fromEntries(Object.keys(ThreadPlace.fields).map((name) => [name, `t.${name}`])))
      const selected = sql.literal(`
        SELECT c.*, CASE WHEN t.id IS NULL THEN NULL ELSE ${jsonText(thread)} END AS thread,
          ${accountJson(fragments, "author")} AS author, ${standing("author", "repository")} AS standing,
          (SELECT ${jsonText(jsonMembers("content", "count"))} FROM (
            SELECT content, count(*) AS count FROM reactions r WHERE r.review_comment_id = c.id GROUP BY content) counts
          ) AS reactions
        FROM review_comments c JOIN repositories repository ON repository.id = c.repository_id
        LEFT JOIN review_threads t ON t.id = c.thread_id LEFT JOIN users author ON author.id = c.user_id`)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const isSeenBy = (readerId: number | undefined): Fragment =>
        sql`(c.is_pending = 0 OR c.user_id = ${readerId ?? 0})`
      const inScope = ({ pullNumber, repositoryId, reviewId }: ReviewCommentScope) =>
        sql.and([
          sql`c.repository_id = ${repositoryId}`,
          ...(pullNumber === undefined ? [] : [sql`c.pull_number = ${pullNumber}`]),
          ...(reviewId === undefined ? [] : [sql`c.review_id = ${reviewId}`])
        ])

      return ReviewCommentRows.of({
        list: Effect.fn("ReviewCommentRows.list")(function* (scope, { descending, order, since }, readerId, page) {
          const direction = sql.literal(descending ? "DESC" : "ASC")
          const isNew = since === undefined ? sql`true` : sql`c.updated_at > ${since}`
          const where = sql`${inScope(scope)} AND ${isSeenBy(readerId)} AND ${isNew}`
          const items = yield* all(sql`
            ${selected} WHERE ${where} ORDER BY c.${sql.literal(order)} ${direction}, c.id ${direction}
            LIMIT ${page.perPage} OFFSET ${page.offset}`)
          return {
            items,
            total: yield* decodeCount(sql`SELECT count(*) AS count FROM review_comments c WHERE ${where}`)
          }
        }),
        find: (repositoryId, id, readerId) =>
          one(sql`${selected} WHERE c.id = ${id} AND c.repository_id = ${repositoryId} AND ${isSeenBy(readerId)}`),
        byIds: (ids, readerId) =>
          ids.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`${selected} WHERE ${fragments.isOneOf("c.id", ids)} AND ${isSeenBy(readerId)}`),
                (found) => new Map(found.map((row) => [row.id, row]))
              ),
        ofThreads: (threadIds, readerId) =>
          threadIds.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`
                  ${selected} WHERE ${fragments.isOneOf("c.thread_id", threadIds)} AND ${isSeenBy(readerId)}
                  ORDER BY c.id`),
                (found) => Map.groupBy(found, ({ thread_id }) => thread_id ?? 0)
              ),
        ofReviews: (reviewIds) =>
          Effect.map(
            all(sql`
              ${selected} WHERE ${fragments.isOneOf("c.review_id", reviewIds)} AND c.thread_id IS NOT NULL
              ORDER BY c.id`),
            (found) => Map.groupBy(found, ({ review_id }) => review_id ?? 0)
          ),
        ofReview: (reviewId) =>
          all(sql`${selected} WHERE c.review_id = ${reviewId} AND c.thread_id IS NOT NULL ORDER BY c.id`),
        add: ({ place, ...comment }) =>
          Effect.gen(function* () {
            const added = yield* inserted(sql`
              INSERT INTO review_comments ${sql.insert({ ...comment, place: JSON.stringify(place) })}
              ON CONFLICT (id) DO NOTHING RETURNING id`)
            if (comment.id !== undefined) yield* fragments.followIds("review_comments")
            // The number of the pull request is taken, also if the database does not have the pull request.
            if (comment.thread_id === undefined) yield* issues.reserveNumber(comment.repository_id, comment.pull_number)
            return added?.id
          }).pipe(sql.withTransaction, Effect.orDie),
        setBody: (id, body, updatedAt) =>
          run(sql`UPDATE review_comments SET body = ${body}, updated_at = ${updatedAt} WHERE id = ${id}`),
        publish: (reviewId) =>
          run(sql`UPDATE review_comments SET is_pending = 0 WHERE review_id = ${reviewId} AND thread_id IS NOT NULL`),
        remove: (id) => run(sql`DELETE FROM review_comments WHERE id = ${id}`),
        removeOfReview: (reviewId) =>
          run(sql`DELETE FROM review_comments WHERE review_id = ${reviewId} AND thread_id IS NOT NULL`)
      })
    })
  )
}
