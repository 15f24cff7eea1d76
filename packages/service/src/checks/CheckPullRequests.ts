/** The open pull requests that checks name: those between branches of the repository, as on GitHub. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const CheckPullRequestRow = Schema.Struct({
  id: Schema.Int,
  number: Schema.Int,
  head_ref: Schema.String,
  head_sha: Schema.String,
  base_ref: Schema.String,
  base_sha: Schema.String
})
export type CheckPullRequestRow = typeof CheckPullRequestRow.Type

/** What a check run and a check suite have. */
interface Checked {
  readonly head_sha: string
  readonly head_branch?: string | null
}

/** Maximum pull requests of a page. */
const MAX_ROWS = 1000

const rows = decodeRows(CheckPullRequestRow)

export class CheckPullRequests extends Context.Service<
  CheckPullRequests,
  {
    /**
     * Returns the function that gives the pull requests of one of the checks: those whose head is its commit or its
     * branch. Runs one statement.
     */
    of(
      repositoryId: number,
      checks: ReadonlyArray<Checked>
    ): Effect.Effect<(check: Checked) => ReadonlyArray<CheckPullRequestRow>>
  }
>()("@tongs/service/checks/CheckPullRequests") {
  static readonly layer = Layer.effect(
    CheckPullRequests,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOfTexts } = SqlFragments.make(sql)

      return CheckPullRequests.of({
        of: Effect.fn("CheckPullRequests.of")(function* (repositoryId, checks) {
          if (checks.length === 0) return () => []
          const oids = [...new Set(checks.map(({ head_sha }) => head_sha))]
          const branches = [...new Set(checks.flatMap(({ head_branch = null }) => head_branch ?? []))]
          const found = yield* rows(sql`
            SELECT p.issue_id AS id, i.number, p.head_ref, p.head_sha, p.base_ref, p.base_sha
            FROM pull_requests p JOIN issues i ON i.id = p.issue_id AND i.state = 'open'
            WHERE p.repository_id = ${repositoryId} AND p.head_repository_id = ${repositoryId}
              AND (${isOneOfTexts("p.head_sha", oids)} OR ${isOneOfTexts("p.head_ref", branches)})
            ORDER BY p.issue_id LIMIT ${MAX_ROWS}`)
          return ({ head_branch = null, head_sha }: Checked) =>
            found.filter((pull) => pull.head_sha === head_sha || pull.head_ref === head_branch)
        })
      })
    })
  )
}
