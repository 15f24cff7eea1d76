/** Gives the open pull requests into a branch another base: the branch was renamed, or merged and deleted. */
import * as Effect from "effect/Effect"
import { IssueRows } from "../../issues/IssueRows.ts"
import { type PullRequestColumns, PullRequestRows } from "../../issues/PullRequestRows.ts"
import { PullRequests } from "../../issues/PullRequests.ts"
import type * as RefMoves from "../gitData/RefMoves.ts"

export const make = Effect.gen(function* () {
  const issues = yield* IssueRows
  const rows = yield* PullRequestRows
  const pulls = yield* PullRequests

  return Effect.fnUntraced(function* (
    { caller, repository }: RefMoves.Mover,
    branch: string,
    base: Pick<PullRequestColumns, "base_ref" | "base_sha">
  ) {
    const open = yield* rows.openByBase(repository.row.id, branch)
    const found = yield* issues.byIds(open.map(({ issue_id }) => issue_id))
    for (const issue of found.values()) yield* pulls.update({ actor: caller.user, repository }, issue, { base })
  })
})
