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

  return {
    /** Announces an action on a review. A submitted review is also a public event. */
    review: Effect.fnUntraced(function* (
      at: EventContext,
      issue: IssueRow,
      row: ReviewRow,
      action: "submitted" | "edited" | "dismissed",
      more: Readonly<Record<string, unknown>> = {}
    ) {
      const details = {
        fullName: at.repository.fullName,
        association: yield* association(at.repository, row.author, row.standing),
        body: { body: row.body }
      }
      const review = ReviewShapes.review(row, details, yield* publicUrl.urls)
      const payload = {
        review: { ...review, state: row.state.toLowerCase(), updated_at: row.updated_at },
        pull_request: yield* pullSummary(at, issue),
        ...more
      }
      yield* action === "submitted"
        ? events.record({ ...at, type: "PullRequestReviewEvent", payload: { action: "created", ...payload } })
        : events.announce({ ...at, event: "pull_request_review", action, payload: { action, ...payload } })
    }),

    /** Announces an action on review comments of one pull request. A new comment is also a public event. */
    comments: Effect.fnUntraced(function* (
      at: EventContext,
      issue: IssueRow,
      rows: ReadonlyArray<ReviewCommentRow>,
      action: "created" | "edited" | "deleted",
      more: Readonly<Record<string, unknown>> = {}
    ) {
      if (rows.length === 0) return
      const pull = yield* pullSummary(at, issue)
      for (const row of rows) {
        const payload = { action, comment: yield* commentOf(at, row), pull_request: pull, ...more }
        yield* action === "created"
          ? events.record({ ...at, type: "PullRequestReviewCommentEvent", payload })
          : events.announce({ ...at, event: "pull_request_review_comment", action, payload })
      }
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
