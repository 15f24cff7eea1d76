/** Reads ids of comments and related issues. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** A range of the comments on an issue, the oldest first. */
export interface CommentRange {
  readonly issueId: number
  readonly begin: number
  readonly end: number
}

const NumberedIssue = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  number: Schema.Int,
  is_pull_request: Schema.Int
})
export type NumberedIssue = typeof NumberedIssue.Type

const byNumber = decodeRows(NumberedIssue)
const numbered = decodeRows(Schema.Struct({ id: Schema.Int, issue_id: Schema.Int, place: Schema.Int }))
const ids = decodeRows(Schema.Struct({ id: Schema.Int }))

export class IssueIds extends Context.Service<
  IssueIds,
  {
    /** Returns the ids of the comments in each range, in one statement. */
    comments(ranges: ReadonlyArray<CommentRange>): Effect.Effect<ReadonlyMap<CommentRange, ReadonlyArray<number>>>
    /** Returns the issues and pull requests with these numbers, as pairs of the repository's id and the number. */
    byNumbers(numbers: ReadonlyArray<readonly [number, number]>): Effect.Effect<ReadonlyArray<NumberedIssue>>
    /** Returns the ids of the issues that block an issue. */
    blockers(issueId: number): Effect.Effect<ReadonlyArray<number>>
    /** Returns the ids of the issues that an issue blocks. */
    blocked(issueId: number): Effect.Effect<ReadonlyArray<number>>
  }
>()("@tongs/service/issues/IssueIds") {
  static readonly layer = Layer.effect(
    IssueIds,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { numberPairs } = SqlFragments.make(sql)
      const idsOf = Effect.map((rows: ReadonlyArray<{ readonly id: number }>) => rows.map(({ id }) => id))
      return IssueIds.of({
        comments: Effect.fn("IssueIds.comments")(function* (ranges) {
          const wanted = ranges.filter(({ begin, end }) => begin < end)
          if (!Arr.isReadonlyArrayNonEmpty(wanted)) return new Map()
          const within = wanted.map(
            ({ begin, end, issueId }) => sql`(issue_id = ${issueId} AND place > ${begin} AND place <= ${end})`
          )
          const issueIds = wanted.map(({ issueId }) => issueId)
          const rows = yield* numbered(sql`
            SELECT id, issue_id, place FROM (
              SELECT id, issue_id, row_number() OVER (PARTITION BY issue_id ORDER BY id) AS place
              FROM issue_comments WHERE ${sql.in("issue_id", issueIds)}) c
            WHERE ${sql.or(within)} ORDER BY id`)
          const isIn = (row: (typeof rows)[number], { begin, end, issueId }: CommentRange) =>
            row.issue_id === issueId && row.place > begin && row.place <= end
          return new Map(wanted.map((one) => [one, rows.filter((row) => isIn(row, one)).map(({ id }) => id)]))
        }),
        byNumbers: (numbers) =>
          byNumber(sql`
            SELECT i.id, i.repository_id, i.number, i.is_pull_request FROM ${numberPairs(numbers)} wanted
            JOIN issues i ON i.repository_id = wanted.first AND i.number = wanted.second`),
        blockers: (issueId) =>
          idsOf(ids(sql`SELECT blocked_by_id AS id FROM issue_dependencies WHERE issue_id = ${issueId} ORDER BY 1`)),
        blocked: (issueId) =>
          idsOf(ids(sql`SELECT issue_id AS id FROM issue_dependencies WHERE blocked_by_id = ${issueId} ORDER BY 1`))
      })
    })
  )
}
