/** Database rows of reviews of pull requests. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest } from "../base/Paging.ts"
import { Standing, standing } from "../issues/AuthorAssociation.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** The states of reviews, as GitHub names them. */
export const ReviewState = Schema.Literals(["PENDING", "COMMENTED", "APPROVED", "CHANGES_REQUESTED", "DISMISSED"])
export type ReviewState = typeof ReviewState.Type

/** A review with its author, and the number of its pull request. Timestamps are ISO 8601. */
export const ReviewRow = Schema.Struct({
  id: Schema.Int,
  issue_id: Schema.Int,
  /** Null if the account was deleted. */
  user_id: Schema.NullOr(Schema.Int),
  state: ReviewState,
  body: Schema.String,
  /** The head of the pull request at the time of the review. */
  commit_id: Schema.String,
  dismissal_message: Schema.NullOr(Schema.String),
  /** Null while the review is pending. */
  submitted_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String,
  repository_id: Schema.Int,
  number: Schema.Int,
  author: Schema.NullOr(Schema.fromJsonString(UserRow)),
  /** The relation of the author to the repository that the database knows. */
  standing: Standing
})
export type ReviewRow = typeof ReviewRow.Type

/** The columns of a new review. */
export type NewReview = Omit<
  ReviewRow,
  "id" | "dismissal_message" | "repository_id" | "number" | "author" | "standing"
> & { readonly id?: number }

const one = decodeFirstRow(ReviewRow)
const all = decodeRows(ReviewRow)
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes reviews. A reader sees their own pending review, and no other one. */
export class ReviewRows extends Context.Service<
  ReviewRows,
  {
    /** Returns reviews of a pull request, the oldest first. */
    list(
      issueId: number | Fragment,
      readerId: number | undefined,
      page: PageRequest
    ): Effect.Effect<{ readonly items: ReadonlyArray<ReviewRow>; readonly total: number }>
    find(issueId: number, id: number, readerId: number | undefined): Effect.Effect<ReviewRow | undefined>
    byIds(ids: ReadonlyArray<number>, readerId: number | undefined): Effect.Effect<ReadonlyMap<number, ReviewRow>>
    /** Returns the submitted reviews whose ids a subquery selects. */
    among(ids: Fragment): Effect.Effect<ReadonlyArray<ReviewRow>>
    /** Returns the reviews of pull requests by the ids of issues, the oldest first. */
    ofIssues(
      issueIds: ReadonlyArray<number>,
      readerId: number | undefined
    ): Effect.Effect<ReadonlyMap<number, ReadonlyArray<ReviewRow>>>
    /** Returns the pending review of a user. */
    pending(issueId: number, userId: number): Effect.Effect<ReviewRow | undefined>
    /** Adds a review and returns its id. Undefined if the user has a pending one already, or if the id exists. */
    add(review: NewReview): Effect.Effect<number | undefined>
    update(
      id: number,
      columns: Partial<
        Pick<ReviewRow, "state" | "body" | "commit_id" | "dismissal_message" | "submitted_at" | "updated_at">
      >
    ): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    /** Removes a review without an opinion, a text and comments. */
    removeEmpty(id: number): Effect.Effect<void>
  }
>()("@tongs/service/reviews/ReviewRows") {
  static readonly layer = Layer.effect(
    ReviewRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const selected = sql.literal(`
        SELECT v.*, i.repository_id, i.number, ${accountJson(fragments, "author")} AS author,
          ${standing("author", "repository")} AS standing
        FROM pull_request_reviews v JOIN issues i ON i.id = v.issue_id
        JOIN repositories repository ON repository.id = i.repository_id
        LEFT JOIN users author ON author.id = v.user_id`)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const isSeenBy = (readerId: number | undefined): Fragment =>
        sql`(v.state <> 'PENDING' OR v.user_id = ${readerId ?? 0})`

      return ReviewRows.of({
        list: Effect.fn("ReviewRows.list")(function* (issueId, readerId, { offset, perPage }) {
          const where = sql`v.issue_id = ${issueId} AND ${isSeenBy(readerId)}`
          const items = yield* all(sql`${selected} WHERE ${where} ORDER BY v.id LIMIT ${perPage} OFFSET ${offset}`)
          return {
            items,
            total: yield* decodeCount(sql`SELECT count(*) AS count FROM pull_request_reviews v WHERE ${where}`)
          }
        }),
        find: (issueId, id, readerId) =>
          one(sql`${selected} WHERE v.id = ${id} AND v.issue_id = ${issueId} AND ${isSeenBy(readerId)}`),
        byIds: (ids, readerId) =>
          ids.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`${selected} WHERE ${fragments.isOneOf("v.id", ids)} AND ${isSeenBy(readerId)}`),
                (found) => new Map(found.map((row) => [row.id, row]))
              ),
        among: (ids) => all(sql`${selected} WHERE v.id IN (${ids}) AND v.state <> 'PENDING'`),
        ofIssues: (issueIds, readerId) =>
          issueIds.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`
                  ${selected} WHERE ${fragments.isOneOf("v.issue_id", issueIds)} AND ${isSeenBy(readerId)}
                  ORDER BY v.id`),
                (found) => Map.groupBy(found, ({ issue_id }) => issue_id)
              ),
        pending: (issueId, userId) =>
          one(sql`${selected} WHERE v.issue_id = ${issueId} AND v.user_id = ${userId} AND v.state = 'PENDING'`),
        add: (review) =>
          Effect.gen(function* () {
            const added = yield* inserted(
              sql`INSERT INTO pull_request_reviews ${sql.insert({ ...review })} ON CONFLICT DO NOTHING RETURNING id`
            )
            if (review.id !== undefined) yield* fragments.followIds("pull_request_reviews")
            return added?.id
          }),
        update: (id, columns) =>
          run(sql`UPDATE pull_request_reviews SET ${sql.update({ ...columns })} WHERE id = ${id}`),
        remove: (id) => run(sql`DELETE FROM pull_request_reviews WHERE id = ${id}`),
        removeEmpty: (id) =>
          run(sql`
            DELETE FROM pull_request_reviews WHERE id = ${id} AND state = 'COMMENTED' AND body = ''
              AND NOT EXISTS (SELECT 1 FROM review_comments c WHERE c.review_id = pull_request_reviews.id)`)
      })
    })
  )
}
