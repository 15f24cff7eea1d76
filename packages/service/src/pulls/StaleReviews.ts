/** Dismisses the approvals of a pull request after a push to its head, if a rule of its base branch says so. */
import * as Effect from "effect/Effect"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { EventContext } from "../events/NewEvent.ts"
import { IssueRows } from "../issues/IssueRows.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import { ReviewRows } from "../reviews/ReviewRows.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { Enforcement } from "../rules/Enforcement.ts"

export const make = Effect.gen(function* () {
  const issues = yield* IssueRows
  const reviews = yield* Reviews
  const rows = yield* ReviewRows
  const rules = yield* Enforcement

  /** Returns the writes that dismiss the approvals, for the transaction of the push. */
  return Effect.fnUntraced(function* (at: EventContext, pull: PullRequestRow, head: string) {
    const active = yield* rules.activeRules(at.repository, pull.base_ref)
    const isWanted = active.some(
      (rule) => rule.type === "pull_request" && rule.parameters.dismiss_stale_reviews_on_push
    )
    if (!isWanted) return Effect.void
    return Effect.gen(function* () {
      const issue = (yield* issues.byIds([pull.issue_id])).get(pull.issue_id)
      if (issue === undefined) return
      const all = (yield* rows.ofIssues([pull.issue_id], undefined)).get(pull.issue_id) ?? []
      for (const review of all) {
        if (review.state !== "APPROVED") continue
        // Only a review in another state is refused.
        yield* Effect.catchTag(
          reviews.dismiss(at, issue, review, `The head moved to ${AbbreviatedId.of(head)}`),
          "ValidationFailed",
          () => Effect.void
        )
      }
    })
  })
})
