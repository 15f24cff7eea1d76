/** Finds what a request about reviews names, and checks who may take part. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Caller } from "../../access/Caller.ts"
import { atLeast } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as BlockRules from "../../api/BlockRules.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { ReviewRows } from "../../reviews/ReviewRows.ts"
import * as PullRequestTarget from "../pulls/PullRequestTarget.ts"

/** The account that sees its own pending reviews. */
export const readerOf = (caller: Caller): number | undefined =>
  caller.kind === "anonymous" ? undefined : caller.user.id

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* ReviewRows
  const { refuseBlocked } = yield* BlockRules.make
  const pulls = yield* PullRequestTarget.make

  const review = Effect.fnUntraced(function* (number: number, id: number, context: RepositoryContext) {
    const found = yield* pulls.find(number, context)
    const row = yield* rows.find(found.issue.id, id, readerOf(context.caller))
    return { ...found, review: row ?? (yield* ApiError.notFound()) }
  })

  /** Fails with 403 if the caller may not take part in the conversation. */
  const requireOpen = Effect.fnUntraced(function* (
    issue: IssueRow,
    context: Pick<SignedInRepositoryContext, "caller" | "repository" | "role">
  ) {
    yield* refuseBlocked(context, issue.author_id)
    if (issue.locked === 1 && !atLeast(context.role, "write"))
      return yield* ApiError.forbidden("Unable to create comment because issue is locked.")
  })

  /**
   * Reads a page of reviews by the id in a subquery. Without reviews, a second statement finds out whether the pull
   * request exists.
   */
  const list = Effect.fnUntraced(function* (number: number, context: RepositoryContext) {
    const { caller, page, repository } = context
    const id = sql`(
      SELECT id FROM issues WHERE repository_id = ${repository.row.id} AND number = ${number} AND is_pull_request = 1)`
    const found = yield* rows.list(id, readerOf(caller), page)
    if (found.total === 0) yield* pulls.find(number, context)
    return found
  })

  return { list, pull: pulls.find, requireOpen, review }
})
