/** The pull requests whose texts close issues: the reverse of `closingIssuesReferences`. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { type IssueRow, IssueRows } from "../../issues/IssueRows.ts"
import { decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import type { RunningQuery } from "./RunningQuery.ts"

/** Maximum number of pull requests with a reference to an issue whose texts are read, the newest first. */
const MAX_REFERENCES = 100

const references = decodeRows(Schema.Struct({ issue_id: Schema.Int, pull_id: Schema.Int }))

/** Creates the function that returns the pull requests that close each issue, the oldest first. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* IssueRows
  const { isOneOf } = SqlFragments.make(sql)

  /** Returns the pull request if it merges into the default branch and its text closes the issue. */
  const closes = async (query: RunningQuery, row: IssueRow, issueId: number) => {
    const at = await query.findRepository(row.repository_id)
    if (at === undefined) return false
    const [pull, head] = await Promise.all([query.pullRequest(row.id), query.run(at.served.git.head)])
    if (pull?.base_ref !== head) return false
    return ((await query.closedBy({ row, at })) ?? []).includes(issueId)
  }

  return async (
    query: RunningQuery,
    ids: ReadonlyArray<number>
  ): Promise<ReadonlyMap<number, ReadonlyArray<IssueRow>>> => {
    const found = await query.run(
      references(sql`
        SELECT issue_id, pull_id FROM (
          SELECT e.issue_id, e.other_issue_id AS pull_id,
            row_number() OVER (PARTITION BY e.issue_id ORDER BY e.id DESC) AS place
          FROM issue_events e JOIN issues p ON p.id = e.other_issue_id AND p.is_pull_request = 1
          WHERE e.event = 'cross-referenced' AND ${isOneOf("e.issue_id", ids)}) r
        WHERE place <= ${MAX_REFERENCES} ORDER BY pull_id`)
    )
    const pulls = await query.run(rows.byIds([...new Set(found.map(({ pull_id }) => pull_id))]))
    const checked = await Promise.all(
      found.map(async ({ issue_id, pull_id }) => {
        const row = pulls.get(pull_id)
        return row !== undefined && (await closes(query, row, issue_id)) ? [{ issue_id, row }] : []
      })
    )
    const closing = Map.groupBy(checked.flat(), ({ issue_id }) => issue_id)
    return new Map([...closing].map(([id, all]) => [id, all.map(({ row }) => row)]))
  }
})
