/** Database rows of review requests: the people and teams that are asked to review a pull request. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** A request to a user or to a team. */
export const ReviewRequestRow = Schema.Struct({
  id: Schema.Int,
  issue_id: Schema.Int,
  user_id: Schema.NullOr(Schema.Int),
  team_id: Schema.NullOr(Schema.Int),
  as_code_owner: Schema.Int,
  created_at: Schema.String
})
export type ReviewRequestRow = typeof ReviewRequestRow.Type

/** The ids of reviewers. */
export interface Reviewers {
  readonly users: ReadonlyArray<number>
  readonly teams: ReadonlyArray<number>
}

const all = decodeRows(ReviewRequestRow)

export class ReviewRequestRows extends Context.Service<
  ReviewRequestRows,
  {
    /** Returns the requests by the ids of issues, the oldest first. */
    ofIssues(issueIds: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, ReadonlyArray<ReviewRequestRow>>>
    /** Adds requests, and returns the new ones. */
    add(
      issueId: number,
      reviewers: Reviewers,
      at: string,
      asCodeOwner?: boolean
    ): Effect.Effect<ReadonlyArray<ReviewRequestRow>>
    /** Removes requests, and returns those that existed. */
    remove(issueId: number, reviewers: Reviewers): Effect.Effect<ReadonlyArray<ReviewRequestRow>>
    /** Removes the requests that a review of a user answers: those to the user, and to teams of the user. */
    fulfill(issueId: number, userId: number): Effect.Effect<void>
  }
>()("@tongs/service/reviews/ReviewRequestRows") {
  static readonly layer = Layer.effect(
    ReviewRequestRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)

      return ReviewRequestRows.of({
        ofIssues: (issueIds) =>
          issueIds.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                all(sql`SELECT * FROM review_requests WHERE ${isOneOf("issue_id", issueIds)} ORDER BY id`),
                (found) => Map.groupBy(found, ({ issue_id }) => issue_id)
              ),
        add: (issueId, { teams, users }, created_at, asCodeOwner = false) => {
          const common = { issue_id: issueId, as_code_owner: asCodeOwner ? 1 : 0, created_at }
          const rows: ReadonlyArray<Record<string, unknown>> = [
            ...users.map((id) => ({ ...common, user_id: id, team_id: null })),
            ...teams.map((id) => ({ ...common, user_id: null, team_id: id }))
          ]
          return Arr.isReadonlyArrayNonEmpty(rows)
            ? all(sql`INSERT INTO review_requests ${sql.insert(rows)} ON CONFLICT DO NOTHING RETURNING *`)
            : Effect.succeed([])
        },
        remove: (issueId, { teams, users }) =>
          teams.length + users.length === 0
            ? Effect.succeed([])
            : all(sql`
                DELETE FROM review_requests WHERE issue_id = ${issueId}
                  AND (${isOneOf("user_id", users)} OR ${isOneOf("team_id", teams)}) RETURNING *`),
        fulfill: (issueId, userId) =>
          Effect.orDie(
            Effect.asVoid(sql`
              DELETE FROM review_requests WHERE issue_id = ${issueId} AND (user_id = ${userId}
                OR team_id IN (SELECT a.ancestor_id FROM team_members m JOIN team_ancestors a ON a.team_id = m.team_id
                  WHERE m.user_id = ${userId}))`)
          )
      })
    })
  )
}
