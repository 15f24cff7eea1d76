/** What rules ask of the reviews of a pull request. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** The latest approval, or request for changes, of a person. */
export const Opinion = Schema.Struct({
  review_id: Schema.Int,
  state: Schema.Literals(["APPROVED", "CHANGES_REQUESTED"]),
  /** The head of the pull request at the time of the review. */
  commit_id: Schema.String,
  submitted_at: Schema.String,
  user: Schema.fromJsonString(UserRow)
})
export type Opinion = typeof Opinion.Type

export interface PullRequestReviewState {
  /** The latest opinions of the people with write permission, each once, the oldest first. Dismissed ones do not count. */
  readonly opinions: ReadonlyArray<Opinion>
  readonly unresolvedThreads: number
}

const opinions = decodeRows(Schema.Struct({ issue_id: Schema.Int, ...Opinion.fields }))
const counts = decodeRows(Schema.Struct({ issue_id: Schema.Int, count: Schema.Int }))

export class ReviewState extends Context.Service<
  ReviewState,
  {
    /** Reads the states of pull requests by the ids of their issues, in two statements. */
    of(issueIds: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, PullRequestReviewState>>
  }
>()("@tongs/service/reviews/ReviewState") {
  static readonly layer = Layer.effect(
    ReviewState,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const account = sql.literal(accountJson(fragments, "u"))
      const canWrite = sql.literal(`(r.owner_id = u.id OR ${ReadableRepositories.byAccount("write", "u", "r")})`)

      return ReviewState.of({
        of: Effect.fn("ReviewState.of")(function* (issueIds) {
          const isWanted = (column: string) => fragments.isOneOf(column, issueIds)
          // A dismissed review does not bring back an earlier opinion.
          const found = yield* opinions(sql`
            SELECT v.issue_id, v.id AS review_id, v.state, v.commit_id, v.submitted_at, ${account} AS "user"
            FROM pull_request_reviews v JOIN issues i ON i.id = v.issue_id JOIN repositories r ON r.id = i.repository_id
            JOIN users u ON u.id = v.user_id
            WHERE ${isWanted("v.issue_id")} AND v.state IN ('APPROVED', 'CHANGES_REQUESTED') AND ${canWrite}
              AND NOT EXISTS (SELECT 1 FROM pull_request_reviews later
                WHERE later.issue_id = v.issue_id AND later.user_id = v.user_id
                  AND later.state IN ('APPROVED', 'CHANGES_REQUESTED', 'DISMISSED')
                  AND (later.submitted_at > v.submitted_at OR (later.submitted_at = v.submitted_at AND later.id > v.id)))
            ORDER BY v.submitted_at, v.id`)
          const unresolved = yield* counts(sql`
            SELECT t.issue_id, count(*) AS count FROM review_threads t
            WHERE ${isWanted("t.issue_id")} AND t.resolved_at IS NULL
              AND EXISTS (SELECT 1 FROM review_comments c WHERE c.thread_id = t.id AND c.is_pending = 0)
            GROUP BY t.issue_id`)
          const threads = new Map(unresolved.map((row) => [row.issue_id, row.count]))
          const byIssue = Map.groupBy(found, (row) => row.issue_id)
          return new Map(
            issueIds.map((id) => [id, { opinions: byIssue.get(id) ?? [], unresolvedThreads: threads.get(id) ?? 0 }])
          )
        })
      })
    })
  )
}
