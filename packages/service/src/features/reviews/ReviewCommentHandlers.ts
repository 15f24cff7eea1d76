import * as Effect from "effect/Effect"
import { type NewPullRequestComment, ReviewComments } from "@tongs/core/contract/groups/ReviewComments"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { timestamp } from "../../base/Time.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import * as NewThreads from "../../reviews/NewThreads.ts"
import {
  type ReviewCommentFilter,
  type ReviewCommentRow,
  ReviewCommentRows as Rows,
  type ReviewCommentScope
} from "../../reviews/ReviewCommentRows.ts"
import { type ReviewedPull, Reviews } from "../../reviews/Reviews.ts"
import * as ReviewViews from "../../reviews/ReviewViews.ts"
import { ThreadTracer } from "../../reviews/ThreadTracer.ts"
import * as ReviewTarget from "./ReviewTarget.ts"

/** Columns for the values of `sort`. */
const orders = { created: "created_at", created_at: "created_at", updated: "updated_at" } as const

interface Listing {
  readonly direction?: "asc" | "desc" | undefined
  readonly since?: string | undefined
  readonly sort?: keyof typeof orders | undefined
}

const missing = (field: string) =>
  ApiError.invalid(`Validation Failed: ${field} is missing`, [
    { resource: "PullRequestReviewComment", field, code: "missing_field" }
  ])

export const make = Effect.gen(function* () {
  const rows = yield* Rows
  const issues = yield* IssueRows
  const reviews = yield* Reviews
  const target = yield* ReviewTarget.make
  const tracer = yield* ThreadTracer
  const views = yield* ReviewViews.make

  const at = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

  const first = Effect.fnUntraced(function* (row: ReviewCommentRow, context: RepositoryContext) {
    const [comment] = yield* views.comments([row], context.repository, context)
    return comment ?? (yield* ApiError.notFound())
  })

  const find = Effect.fnUntraced(function* (id: number, { caller, repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id, ReviewTarget.readerOf(caller))) ?? (yield* ApiError.notFound())
  })

  /** Finds a comment that the caller may change, and its pull request if the database has it. */
  const own = Effect.fnUntraced(function* (id: number, context: SignedInRepositoryContext) {
    const comment = yield* find(id, context)
    yield* CommentRules.mayChange(comment, context)
    return { comment, issue: yield* issues.find(context.repository.row.id, comment.pull_number) }
  })

  const list = Effect.fnUntraced(function* (
    scope: ReviewCommentScope,
    { direction, since, sort }: Listing,
    context: RepositoryContext
  ) {
    const { caller, page, repository } = context
    const after = since === undefined ? undefined : Date.parse(since)
    if (Number.isNaN(after)) {
      return yield* ApiError.invalid("Invalid timestamp in since", [
        { resource: "PullRequestReviewComment", field: "since", code: "invalid" }
      ])
    }
    const selection: ReviewCommentFilter = {
      order: sort === undefined ? "id" : orders[sort],
      descending: sort !== undefined && direction === "desc",
      since: after === undefined ? undefined : timestamp(after)
    }
    const { items, total } = yield* rows.list(scope, selection, ReviewTarget.readerOf(caller), page)
    return { items: yield* views.comments(items, repository, context), total }
  })

  /** Answers the first comment of a thread of a pull request. Fails with 404 for any other comment. */
  const reply = Effect.fnUntraced(function* (
    found: ReviewedPull,
    id: number,
    body: string,
    context: SignedInRepositoryContext
  ) {
    const to = yield* find(id, context)
    if (to.pull_number !== found.issue.number || to.thread_id === null || to.in_reply_to_id !== null)
      return yield* ApiError.notFound()
    return yield* first(yield* reviews.reply(at(context), found, to, body), context)
  })

  /** Starts a thread at a line or a file. */
  const start = Effect.fnUntraced(function* (
    found: ReviewedPull,
    { body, commit_id, line, path, position, side, start_line, start_side, subject_type }: NewPullRequestComment,
    context: SignedInRepositoryContext
  ) {
    if (commit_id === undefined) return yield* missing("commit_id")
    if (path === undefined) return yield* missing("path")
    const commit = yield* NewThreads.commitOf(context.repository, found.pull, commit_id)
    const [place] = yield* NewThreads.placesOf(context.repository, found.pull, commit, [
      {
        path,
        position,
        side,
        line,
        startLine: start_line,
        startSide: start_side === "side" ? side : start_side,
        isWholeFile: subject_type === "file"
      }
    ])
    if (place === undefined) return yield* missing("line")
    const comment = yield* reviews.comment(at(context), found, { ...place, body })
    // The commit can be an earlier one than the head.
    yield* tracer.trace(found.issue.id)
    return yield* first(commit === found.pull.head_sha ? comment : yield* find(comment.id, context), context)
  })

  return group(ReviewComments)({
    *listForRepo(listing, context) {
      return yield* list({ repositoryId: context.repository.row.id }, listing, context)
    },
    *listForPullRequest({ pull_number, ...listing }, context) {
      const found = yield* list({ repositoryId: context.repository.row.id, pullNumber: pull_number }, listing, context)
      if (found.total === 0) yield* target.pull(pull_number, context)
      return found
    },
    *create({ pull_number, ...comment }, context) {
      const found = yield* target.pull(pull_number, context)
      yield* target.requireOpen(found.issue, context)
      const { body, in_reply_to } = comment
      yield* CommentRules.checkBody("PullRequestReviewComment", body)
      return in_reply_to === undefined
        ? yield* start(found, comment, context)
        : yield* reply(found, in_reply_to, body, context)
    },
    *createReply({ body, comment_id, pull_number }, context) {
      const found = yield* target.pull(pull_number, context)
      yield* target.requireOpen(found.issue, context)
      yield* CommentRules.checkBody("PullRequestReviewComment", body)
      return yield* reply(found, comment_id, body, context)
    },
    *get({ comment_id }, context) {
      return yield* first(yield* find(comment_id, context), context)
    },
    *update({ body, comment_id }, context) {
      const { comment, issue } = yield* own(comment_id, context)
      yield* CommentRules.checkBody("PullRequestReviewComment", body)
      return yield* first(yield* reviews.editComment(at(context), issue, comment, body), context)
    },
    *delete({ comment_id }, context) {
      const { comment, issue } = yield* own(comment_id, context)
      yield* reviews.removeComment(at(context), issue, comment)
    }
  })
})
