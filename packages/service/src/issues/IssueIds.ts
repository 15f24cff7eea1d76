/** Reads ids of comments and related issues. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
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
/** A relation of an issue: to the issues that block it, that it blocks, or that are its sub-issues in their order. */
export type IssueRelation = "blockers" | "blocked" | "subIssues"

const numbered = decodeRows(Schema.Struct({ id: Schema.Int, issue_id: Schema.Int, place: Schema.Int }))
const related = decodeRows(Schema.Struct({ issue_id: Schema.Int, id: Schema.Int }))

export class IssueIds extends Context.Service<
  IssueIds,
  {
    /** Returns the ids of the comments in each range, in one statement. */
    comments(ranges: ReadonlyArray<CommentRange>): Effect.Effect<ReadonlyMap<CommentRange, ReadonlyArray<number>>>
    /** Returns the issues and pull requests with these numbers, as pairs of the repository's id and the number. */
    byNumbers(numbers: ReadonlyArray<readonly [number, number]>): Effect.Effect<ReadonlyArray<NumberedIssue>>
    /** Returns the ids of the related issues of each issue, in one statement. */
    related(
      relation: IssueRelation,
      issueIds: ReadonlyArray<number>
    ): Effect.Effect<ReadonlyMap<number, ReadonlyArray<number>>>
  }
>()("@tongs/service/issues/IssueIds") {
  static readonly layer = Layer.effect(
    IssueIds,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { numberPairs } = SqlFragments.make(sql)
      const { isOneOf } = SqlFragments.make(sql)
      const relationsOf: Readonly<Record<IssueRelation, (ids: ReadonlyArray<number>) => Statement<unknown>>> = {
        blockers: (ids) => sql`
          SELECT issue_id, blocked_by_id AS id FROM issue_dependencies WHERE ${isOneOf("issue_id", ids)} ORDER BY 1, 2`,
        blocked: (ids) => sql`
          SELECT blocked_by_id AS issue_id, issue_id AS id FROM issue_dependencies
          WHERE ${isOneOf("blocked_by_id", ids)} ORDER BY 1, 2`,
        subIssues: (ids) => sql`
          SELECT parent_id AS issue_id, id FROM issues WHERE ${isOneOf("parent_id", ids)}
          ORDER BY parent_id, parent_position, id`
      }
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
        related: Effect.fn("IssueIds.related")(function* (relation, issueIds) {
          const rows = yield* related(relationsOf[relation](issueIds))
          return new Map(
            [...Map.groupBy(rows, ({ issue_id }) => issue_id)].map(([id, own]) => [id, own.map((row) => row.id)])
          )
        })
      })
    })
  )
}
