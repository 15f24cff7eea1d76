/** Records the public events of reviews and queues the deliveries of webhooks. */
import * as Effect from "effect/Effect"
import { nodeId } from "../api/NodeId.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import { Events } from "../events/Events.ts"
import type { EventContext } from "../events/NewEvent.ts"
import { AuthorAssociations } from "../issues/AuthorAssociation.ts"
import * as IssueAnnouncements from "../issues/IssueAnnouncements.ts"
import type { IssueRow } from "../issues/IssueRows.ts"
import type { ReviewCommentRow } from "./ReviewCommentRows.ts"
import type { ReviewRow } from "./ReviewRows.ts"
import * as ReviewShapes from "./ReviewShapes.ts"
import type { ReviewThreadRow } from "./ReviewThreadRows.ts"

export const make = Effect.gen(function* () {
  const events = yield* Events
  const publicUrl = yield* PublicUrl
  const { pullSummary } = yield* IssueAnnouncements.make
  const { association } = yield* AuthorAssociations

  const commentOf = Effect.fnUntraced(function* ({ repository }: EventContext, row: ReviewCommentRow) {
    const details = {
      fullName: repository.fullName,
      association: yield* association(repository, row.author, row.standing),
      body: { body: row.body }
    }
    return ReviewShapes.comment(row, details, yield* publicUrl.urls)
  })

  const reviewOf = Effect.fnUntraced(function* ({ repository }: EventContext, row: ReviewRow) {
    const details = {
      fullName: repository.fullName,
      association: yield* association(repository, row.author, row.standing),
      body: { body: row.body }
    }
    const review = ReviewShapes.review(row, details, yield* publicUrl.urls)
    return { ...review, state: row.state.toLowerCase(), updated_at: row.updated_at }
  })

  return {
    /** Announces a submitted review and its comments, which are also public events. */
    submitted: Effect.fnUntraced(function* (
      at: EventContext,
      issue: IssueRow,
      row: ReviewRow,
      comments: ReadonlyArray<ReviewCommentRow>
    ) {
      const pull_request = yield* pullSummary(at, issue)
      const payload = { action: "created", review: yield* reviewOf(at, row), pull_request }
      yield* events.record({ ...at, type: "PullRequestReviewEvent", payload })
      for (const one of comments) {
        const payload = { action: "created", comment: yield* commentOf(at, one), pull_request }
        yield* events.record({ ...at, type: "PullRequestReviewCommentEvent", payload })
      }
    }),

    /** Announces an action on a submitted review. */
    review: Effect.fnUntraced(function* (
      at: EventContext,
      issue: IssueRow,
      row: ReviewRow,
      action: "edited" | "dismissed",
      more: Readonly<Record<string, unknown>> = {}
    ) {
      const pull_request = yield* pullSummary(at, issue)
      const payload = { action, review: yield* reviewOf(at, row), pull_request, ...more }
      yield* events.announce({ ...at, event: "pull_request_review", action, payload })
    }),

    /** Announces an action on a review comment. */
    comment: Effect.fnUntraced(function* (
      at: EventContext,
      issue: IssueRow,
      row: ReviewCommentRow,
      action: "edited" | "deleted",
      more: Readonly<Record<string, unknown>> = {}
    ) {
      const pull_request = yield* pullSummary(at, issue)
      const payload = { action, comment: yield* commentOf(at, row), pull_request, ...more }
      yield* events.announce({ ...at, event: "pull_request_review_comment", action, payload })
    }),

    /** Announces that a thread was resolved, or that it is open again. */
    thread: Effect.fnUntraced(function* (
      at: EventContext,
      issue: IssueRow,
      { id }: ReviewThreadRow,
      rows: ReadonlyArray<ReviewCommentRow>,
      action: "resolved" | "unresolved"
    ) {
      const comments = yield* Effect.forEach(rows, (row) => commentOf(at, row))
      const payload = {
        action,
        thread: { node_id: nodeId("PullRequestReviewThread", id), comments },
        pull_request: yield* pullSummary(at, issue)
      }
      yield* events.announce({ ...at, event: "pull_request_review_thread", action, payload })
    })
  }
})
