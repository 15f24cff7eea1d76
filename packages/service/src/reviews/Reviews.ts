/**
 * Changes reviews of pull requests, their comments and threads. Each change runs in one transaction with the events of
 * the pull request, the deliveries of webhooks and the notifications. A pending review has none of them before it is
 * submitted.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../api/ApiError.ts"
import { timestamp } from "../base/Time.ts"
import { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import { CrossReferences, type Mentions } from "../issues/CrossReferences.ts"
import { IssueEventRows } from "../issues/IssueEventRows.ts"
import { type IssueRow, IssueRows } from "../issues/IssueRows.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import { Notifications } from "../notifications/Notifications.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as Transaction from "../storage/Transaction.ts"
import type { NewPlace } from "./NewThreads.ts"
import * as ReviewAnnouncements from "./ReviewAnnouncements.ts"
import { type ReviewCommentRow, ReviewCommentRows } from "./ReviewCommentRows.ts"
import { ReviewRequestRows } from "./ReviewRequestRows.ts"
import { type ReviewRow, ReviewRows, type ReviewState } from "./ReviewRows.ts"
import { type ReviewThreadRow, ReviewThreadRows } from "./ReviewThreadRows.ts"

/** A pull request by its two rows. */
export interface ReviewedPull {
  readonly issue: IssueRow
  readonly pull: PullRequestRow
}

/** The opinion of a review. */
export type ReviewEvent = "APPROVE" | "REQUEST_CHANGES" | "COMMENT"

/** A comment that starts a thread. */
export interface NewComment extends NewPlace {
  readonly body: string
}

export interface NewReviewContent {
  readonly commit: string
  readonly body: string
  /** Without an event, the review is pending. */
  readonly event: ReviewEvent | undefined
  readonly comments: ReadonlyArray<NewComment>
}

/** What a comment belongs to: a pending review, or a review of its own. */
export interface CommentTarget {
  readonly review?: ReviewRow | undefined
}

const states = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" } as const // names

/** 422 with a sentence. */
export const refused = (message: string) =>
  ApiError.invalid(`Validation Failed: ${message}`, [{ resource: "PullRequestReview", code: "custom", message }])

type Changed<A> = Effect.Effect<A, GitError | ValidationFailed>

export class Reviews extends Context.Service<
  Reviews,
  {
    /** Fails with 422 for a second pending review of the actor, and for an opinion that the actor cannot have. */
    create(at: EventContext, reviewed: ReviewedPull, content: NewReviewContent): Changed<ReviewRow>
    /** Publishes a pending review. */
    submit(
      at: EventContext,
      issue: IssueRow,
      review: ReviewRow,
      event: ReviewEvent,
      body: string | undefined
    ): Changed<ReviewRow>
    edit(at: EventContext, issue: IssueRow, review: ReviewRow, body: string): Effect.Effect<ReviewRow, GitError>
    /** Deletes a pending review with its comments. Fails with 422 for a submitted one. */
    discard(review: ReviewRow): Changed<void>
    /** Fails with 422 unless the review is an approval or a request for changes. */
    dismiss(at: EventContext, issue: IssueRow, review: ReviewRow, message: string): Changed<ReviewRow>
    /** Starts a thread. */
    comment(
      at: EventContext,
      reviewed: ReviewedPull,
      comment: NewComment,
      target?: CommentTarget
    ): Changed<ReviewCommentRow>
    /** Adds a comment to the thread of another one. */
    reply(
      at: EventContext,
      reviewed: ReviewedPull,
      to: ReviewCommentRow,
      body: string,
      target?: CommentTarget
    ): Changed<ReviewCommentRow>
    editComment(
      at: EventContext,
      issue: IssueRow | undefined,
      comment: ReviewCommentRow,
      body: string
    ): Effect.Effect<ReviewCommentRow, GitError>
    removeComment(
      at: EventContext,
      issue: IssueRow | undefined,
      comment: ReviewCommentRow
    ): Effect.Effect<void, GitError>
    resolve(at: EventContext, issue: IssueRow, thread: ReviewThreadRow): Effect.Effect<void, GitError>
    unresolve(at: EventContext, issue: IssueRow, thread: ReviewThreadRow): Effect.Effect<void, GitError>
  }
>()("@tongs/service/reviews/Reviews") {
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const autoMerges = yield* AutoMergeQueue
      const rows = yield* ReviewRows
      const comments = yield* ReviewCommentRows
      const threads = yield* ReviewThreadRows
      const requests = yield* ReviewRequestRows
      const issues = yield* IssueRows
      const events = yield* IssueEventRows
      const references = yield* CrossReferences
      const notifications = yield* Notifications
      const announcements = yield* ReviewAnnouncements.make
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const find = (id: number, { actor }: EventContext) =>
        requireRow(Effect.map(rows.byIds([id], actor.id), (found) => found.get(id)))
      const findComment = (id: number, { actor, repository }: EventContext) =>
        requireRow(comments.find(repository.row.id, id, actor.id))

      /** Fails with 422 for an opinion that the actor cannot have, and for one without a text. */
      const checkOpinion = Effect.fnUntraced(function* (
        { actor }: EventContext,
        issue: IssueRow,
        event: ReviewEvent,
        body: string,
        hasComments: boolean
      ) {
        const isOwn = issue.author_id === actor.id
        if (isOwn && event === "APPROVE") return yield* refused("Can not approve your own pull request")
        if (isOwn && event === "REQUEST_CHANGES")
          return yield* refused("Can not request changes on your own pull request")
        if (event !== "APPROVE" && body.trim() === "" && !hasComments)
          return yield* refused(`A review with the event ${event} needs a body`)
      })

      /** Adds a comment and its thread, without events. */
      const addComment = Effect.fnUntraced(function* (
        { actor, repository }: EventContext,
        issue: IssueRow,
        comment: { readonly body: string; readonly diffHunk: string; readonly inReplyTo: number | null },
        threadId: number,
        thread: Pick<ReviewThreadRow, "path" | "commit_id" | "original_commit_id">,
        review: { readonly id: number; readonly isPending: boolean },
        time: string
      ) {
        return yield* requireRow(
          comments.add({
            repository_id: repository.row.id,
            user_id: actor.id,
            pull_number: issue.number,
            review_id: review.id,
            in_reply_to_id: comment.inReplyTo,
            commit_id: thread.commit_id,
            original_commit_id: thread.original_commit_id,
            path: thread.path,
            diff_hunk: comment.diffHunk,
            place: {},
            body: comment.body,
            created_at: time,
            updated_at: time,
            thread_id: threadId,
            is_pending: review.isPending ? 1 : 0
          })
        )
      })

      const startThread = Effect.fnUntraced(function* (
        at: EventContext,
        issue: IssueRow,
        { body, diffHunk, thread }: NewComment,
        review: { readonly id: number; readonly isPending: boolean },
        time: string
      ) {
        const threadId = yield* threads.add(thread)
        return yield* addComment(at, issue, { body, diffHunk, inReplyTo: null }, threadId, thread, review, time)
      })

      /** Records the mentions in texts, and notifies those whom a published review concerns. */
      const notify = Effect.fnUntraced(function* (
        at: EventContext,
        issue: IssueRow,
        texts: ReadonlyArray<string>,
        time: string
      ) {
        const mention: Array<number> = []
        const team_mention: Array<number> = []
        for (const text of texts) {
          const found: Mentions = yield* references.record(at, { issue }, text, null, time)
          mention.push(...found.mention)
          team_mention.push(...found.team_mention)
        }
        yield* notifications.notify({
          issue,
          actorId: at.actor.id,
          at: time,
          addressed: { comment: [at.actor.id], mention, team_mention }
        })
      })

      /** A review or a resolved thread can be all that an automatic merge waits for. */
      const mayMerge = ({ id }: IssueRow) => autoMerges.offer({ _tag: "PullRequest", id })

      /** What follows when a review becomes visible: its author is no longer asked, and everyone learns of it. */
      const publish = Effect.fnUntraced(function* (at: EventContext, issue: IssueRow, id: number, time: string) {
        yield* comments.publish(id)
        yield* requests.fulfill(issue.id, at.actor.id)
        yield* issues.update(issue.id, { updated_at: time })
        const review = yield* find(id, at)
        const own = yield* comments.ofReview(id)
        yield* notify(at, issue, [review.body, ...own.map(({ body }) => body)], time)
        yield* announcements.submitted(at, issue, review, own)
        yield* mayMerge(issue)
        return review
      })

      const add = Effect.fnUntraced(function* (
        at: EventContext,
        issue: IssueRow,
        columns: { readonly commit: string; readonly body: string; readonly state: ReviewState },
        time: string
      ) {
        if ((yield* rows.pending(issue.id, at.actor.id)) !== undefined)
          return yield* refused("User can only have one pending review per pull request")
        const id = yield* rows.add({
          issue_id: issue.id,
          user_id: at.actor.id,
          state: columns.state,
          body: columns.body,
          commit_id: columns.commit,
          submitted_at: columns.state === "PENDING" ? null : time,
          created_at: time,
          updated_at: time
        })
        // Another request has added a pending review in the meantime.
        return id ?? (yield* refused("User can only have one pending review per pull request"))
      })

      /** Adds a comment to the pending review, or to a review of its own that is published at once. */
      const addTo = Effect.fnUntraced(function* (
        at: EventContext,
        { issue, pull }: ReviewedPull,
        { review }: CommentTarget,
        addIt: (review: { readonly id: number; readonly isPending: boolean }, time: string) => Effect.Effect<number>
      ) {
        const time = yield* now
        if (review !== undefined) return yield* findComment(yield* addIt({ id: review.id, isPending: true }, time), at)
        const reviewId = yield* add(at, issue, { commit: pull.head_sha, body: "", state: "COMMENTED" }, time)
        const id = yield* addIt({ id: reviewId, isPending: false }, time)
        yield* publish(at, issue, reviewId, time)
        return yield* findComment(id, at)
      })

      const setResolved = Effect.fnUntraced(function* (
        at: EventContext,
        issue: IssueRow,
        thread: ReviewThreadRow,
        action: "resolved" | "unresolved"
      ) {
        if ((thread.resolved_at !== null) === (action === "resolved")) return
        yield* action === "resolved"
          ? threads.resolve(thread.id, at.actor.id, yield* now)
          : threads.unresolve(thread.id)
        const own = (yield* comments.ofThreads([thread.id], undefined)).get(thread.id) ?? []
        yield* announcements.thread(at, issue, thread, own, action)
        yield* mayMerge(issue)
      })

      return Reviews.of({
        create: Effect.fn("Reviews.create")((at, { issue }, { body, comments: added, commit, event }) =>
          transaction(
            Effect.gen(function* () {
              const time = yield* now
              if (event !== undefined) yield* checkOpinion(at, issue, event, body, added.length > 0)
              const state = event === undefined ? "PENDING" : states[event]
              const id = yield* add(at, issue, { commit, body, state }, time)
              const isPending = event === undefined
              for (const comment of added) yield* startThread(at, issue, comment, { id, isPending }, time)
              return isPending ? yield* find(id, at) : yield* publish(at, issue, id, time)
            })
          )
        ),

        submit: Effect.fn("Reviews.submit")((at, issue, { id }, event, given) =>
          transaction(
            Effect.gen(function* () {
              const review = yield* find(id, at)
              if (review.state !== "PENDING") return yield* refused("Can not submit a review that is not pending")
              const body = given ?? review.body
              const own = yield* comments.ofReview(id)
              yield* checkOpinion(at, issue, event, body, own.length > 0)
              const time = yield* now
              yield* rows.update(id, { state: states[event], body, submitted_at: time, updated_at: time })
              return yield* publish(at, issue, id, time)
            })
          )
        ),

        edit: Effect.fn("Reviews.edit")((at, issue, review, body) =>
          transaction(
            Effect.gen(function* () {
              if (body === review.body) return review
              const time = yield* now
              yield* rows.update(review.id, { body, updated_at: time })
              const changed = yield* find(review.id, at)
              if (changed.state === "PENDING") return changed
              const addressed = yield* references.record(at, { issue }, body, review.body, time)
              yield* notifications.notify({
                issue,
                actorId: at.actor.id,
                at: time,
                addressed: { ...addressed },
                onlyAddressed: true
              })
              yield* announcements.review(at, issue, changed, "edited", { changes: { body: { from: review.body } } })
              return changed
            })
          )
        ),

        discard: Effect.fn("Reviews.discard")(({ id, issue_id, user_id }) =>
          transaction(
            Effect.gen(function* () {
              const review = (yield* rows.byIds([id], user_id ?? undefined)).get(id)
              if (review !== undefined && review.state !== "PENDING")
                return yield* refused("Can not delete a non-pending pull request review")
              yield* comments.removeOfReview(id)
              yield* threads.removeEmpty(issue_id)
              yield* rows.remove(id)
            })
          )
        ),

        dismiss: Effect.fn("Reviews.dismiss")((at, issue, { id }, message) =>
          transaction(
            Effect.gen(function* () {
              const review = yield* find(id, at)
              if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED")
                return yield* refused(
                  `Can not dismiss a ${review.state.toLowerCase().replace("_", " ")} pull request review`
                )
              const time = yield* now
              yield* rows.update(id, { state: "DISMISSED", dismissal_message: message, updated_at: time })
              yield* issues.update(issue.id, { updated_at: time })
              const dismissed_review = {
                state: review.state.toLowerCase(),
                review_id: id,
                dismissal_message: message
              }
              yield* events.add(
                [{ issue, actorId: at.actor.id, event: "review_dismissed", data: { dismissed_review } }],
                time
              )
              const changed = yield* find(id, at)
              yield* announcements.review(at, issue, changed, "dismissed")
              yield* mayMerge(issue)
              return changed
            })
          )
        ),

        comment: Effect.fn("Reviews.comment")((at, reviewed, comment, target = {}) =>
          transaction(
            addTo(at, reviewed, target, (review, time) => startThread(at, reviewed.issue, comment, review, time))
          )
        ),

        reply: Effect.fn("Reviews.reply")((at, reviewed, to, body, target = {}) =>
          transaction(
            addTo(at, reviewed, target, (review, time) =>
              addComment(
                at,
                reviewed.issue,
                { body, diffHunk: to.diff_hunk, inReplyTo: to.in_reply_to_id ?? to.id },
                to.thread_id ?? 0,
                to.thread ?? to,
                review,
                time
              )
            )
          )
        ),

        editComment: Effect.fn("Reviews.editComment")((at, issue, comment, body) =>
          transaction(
            Effect.gen(function* () {
              if (body === comment.body) return comment
              const time = yield* now
              yield* comments.setBody(comment.id, body, time)
              const changed = yield* findComment(comment.id, at)
              if (issue === undefined || changed.is_pending === 1) return changed
              const addressed = yield* references.record(at, { issue }, body, comment.body, time)
              yield* notifications.notify({
                issue,
                actorId: at.actor.id,
                at: time,
                addressed: { ...addressed },
                onlyAddressed: true
              })
              const changes = { body: { from: comment.body } }
              yield* announcements.comment(at, issue, changed, "edited", { changes })
              return changed
            })
          )
        ),

        removeComment: Effect.fn("Reviews.removeComment")((at, issue, comment) =>
          transaction(
            Effect.gen(function* () {
              yield* comments.remove(comment.id)
              if (issue === undefined) return
              yield* threads.removeEmpty(issue.id)
              if (comment.review_id !== null) yield* rows.removeEmpty(comment.review_id)
              if (comment.is_pending === 0) yield* announcements.comment(at, issue, comment, "deleted")
            })
          )
        ),

        resolve: Effect.fn("Reviews.resolve")((at, issue, thread) =>
          transaction(setResolved(at, issue, thread, "resolved"))
        ),
        unresolve: Effect.fn("Reviews.unresolve")((at, issue, thread) =>
          transaction(setResolved(at, issue, thread, "unresolved"))
        )
      })
    })
  )
}
