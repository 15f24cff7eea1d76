/** Finds what a request about reviews names, and checks who may take part. */
import * as Effect from "effect/Effect"
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
  const rows = yield* ReviewRows
  const { refuseBlocked } = yield* BlockRules.make
  const pulls = yield* PullRequestTarget.make

  const review = Effect.fnUntraced(function* (number: number, id: number, context: RepositoryContext) {
    const found = yield* pulls.find(number, context)
    const row = yield* rows.find(found.issue.id, id, readerOf(context.caller))
    return { ...found, review: row ?? (yield* ApiError.notFound()) }
  })

  /** Fails with 403 if the caller may not take part in the conversation. */
  const requireOpen = Effect.fnUntraced(function* (issue: IssueRow, context: SignedInRepositoryContext) {
    yield* refuseBlocked(context, issue.author_id)
    if (issue.locked === 1 && !atLeast(context.role, "write"))
      return yield* ApiError.forbidden("Unable to create comment because issue is locked.")
  })

  return { pull: pulls.find, requireOpen, review }
})
