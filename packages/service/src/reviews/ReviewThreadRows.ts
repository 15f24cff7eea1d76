/** Database rows of review threads: the places in the diff of a pull request to which review comments belong. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const Side = Schema.Literals(["LEFT", "RIGHT"])
export type Side = typeof Side.Type

const number = Schema.NullOr(Schema.Int)

/** The place of a thread, when it began (`original_…`) and now. A whole file has the position 1 and no lines. */
export const ThreadPlace = Schema.Struct({
  path: Schema.String,
  subject_type: Schema.Literals(["line", "file"]),
  side: Side,
  /** Null for a single line. */
  start_side: Schema.NullOr(Side),
  original_commit_id: Schema.String,
  original_path: Schema.String,
  original_line: number,
  original_start_line: number,
  original_position: number,
  /** The commit to which the present lines belong. */
  commit_id: Schema.String,
  line: number,
  start_line: number,
  /** Null if the thread is outdated. */
  position: number
})
export type ThreadPlace = typeof ThreadPlace.Type

export const ReviewThreadRow = Schema.Struct({
  id: Schema.Int,
  issue_id: Schema.Int,
  ...ThreadPlace.fields,
  /** The head of the pull request in whose diff the present place is. */
  traced_head: Schema.String,
  resolved_at: Schema.NullOr(Schema.String),
  /** Null also if the account was deleted. */
  resolved_by: Schema.NullOr(Schema.fromJsonString(UserRow))
})
export type ReviewThreadRow = typeof ReviewThreadRow.Type

export type NewReviewThread = Omit<ReviewThreadRow, "id" | "resolved_at" | "resolved_by">

/** Where a thread is after a push. */
export type TracedPlace = Pick<ThreadPlace, "path" | "line" | "start_line" | "position">

/** True if the lines of a thread are no longer in the diff. */
export const isOutdated = ({ position }: Pick<ThreadPlace, "position">): boolean => position === null

const all = decodeRows(ReviewThreadRow)
const ids = decodeRows(Schema.Struct({ id: Schema.Int, issue_id: Schema.Int }))
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes threads. Comments are pending or not, so a thread can exist for the author of its comments only. */
export class ReviewThreadRows extends Context.Service<
  ReviewThreadRows,
  {
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, ReviewThreadRow>>
    /** Returns the ids of the threads with comments that a reader may see, by the ids of issues, the oldest first. */
    idsOfIssues(
      issueIds: ReadonlyArray<number>,
      readerId: number | undefined
    ): Effect.Effect<ReadonlyMap<number, ReadonlyArray<number>>>
    /** Returns up to `limit` threads whose place belongs to another head than the present one. */
    untraced(issueId: number, limit: number): Effect.Effect<ReadonlyArray<ReviewThreadRow>>
    /** Adds a thread and returns its id. */
    add(thread: NewReviewThread): Effect.Effect<number>
    /** Sets the place in the diff of a head. An outdated thread stays at its last commit. */
    setPlace(id: number, head: string, place: TracedPlace): Effect.Effect<void>
    resolve(id: number, userId: number, at: string): Effect.Effect<void>
    unresolve(id: number): Effect.Effect<void>
    /** Removes the threads of an issue that have no comments. */
    removeEmpty(issueId: number): Effect.Effect<void>
  }
>()("@tongs/service/reviews/ReviewThreadRows") {
  static readonly layer = Layer.effect(
    ReviewThreadRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const selected = sql.literal(`
        SELECT t.*, ${accountJson(fragments, "resolver")} AS resolved_by
        FROM review_threads t LEFT JOIN users resolver ON resolver.id = t.resolved_by_id`)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      return ReviewThreadRows.of({
        byIds: (ids) =>
          ids.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`${selected} WHERE ${fragments.isOneOf("t.id", ids)}`),
                (found) => new Map(found.map((row) => [row.id, row]))
              ),
        idsOfIssues: (issueIds, readerId = 0) =>
          issueIds.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                ids(sql`
                  SELECT t.id, t.issue_id FROM review_threads t WHERE ${fragments.isOneOf("t.issue_id", issueIds)}
                    AND EXISTS (SELECT 1 FROM review_comments c
                      WHERE c.thread_id = t.id AND (c.is_pending = 0 OR c.user_id = ${readerId}))
                  ORDER BY t.id`),
                (found) =>
                  new Map(
                    [...Map.groupBy(found, ({ issue_id }) => issue_id)].map(([issue, threads]) => [
                      issue,
                      threads.map(({ id }) => id)
                    ])
                  )
              ),
        untraced: (issueId, limit) =>
          all(sql`
            ${selected} JOIN pull_requests p ON p.issue_id = t.issue_id
            WHERE t.issue_id = ${issueId} AND t.traced_head <> p.head_sha ORDER BY t.id DESC LIMIT ${limit}`),
        add: (thread) =>
          Effect.map(
            requireRow(inserted(sql`INSERT INTO review_threads ${sql.insert({ ...thread })} RETURNING id`)),
            ({ id }) => id
          ),
        setPlace: (id, head, place) => {
          const commit = isOutdated(place) ? {} : { commit_id: head }
          return run(
            sql`UPDATE review_threads SET ${sql.update({ ...place, ...commit, traced_head: head })} WHERE id = ${id}`
          )
        },
        resolve: (id, userId, at) =>
          run(sql`UPDATE review_threads SET resolved_by_id = ${userId}, resolved_at = ${at} WHERE id = ${id}`),
        unresolve: (id) =>
          run(sql`UPDATE review_threads SET resolved_by_id = NULL, resolved_at = NULL WHERE id = ${id}`),
        removeEmpty: (issueId) =>
          run(sql`
            DELETE FROM review_threads WHERE issue_id = ${issueId}
              AND NOT EXISTS (SELECT 1 FROM review_comments c WHERE c.thread_id = review_threads.id)`)
      })
    })
  )
}
