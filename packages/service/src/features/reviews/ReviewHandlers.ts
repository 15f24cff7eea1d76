import * as Effect from "effect/Effect"
import { Reviews as Group } from "@tongs/core/contract/groups/Reviews"
import { atLeast } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import * as NewThreads from "../../reviews/NewThreads.ts"
import { ReviewCommentRows } from "../../reviews/ReviewCommentRows.ts"
import type { ReviewRow } from "../../reviews/ReviewRows.ts"
import { Reviews, refused } from "../../reviews/Reviews.ts"
import * as ReviewViews from "../../reviews/ReviewViews.ts"
import { ThreadTracer } from "../../reviews/ThreadTracer.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import * as ReviewTarget from "./ReviewTarget.ts"

/** Maximum number of comments of a new review. */
const MAX_COMMENTS = 300

/** Fails with 422 for a longer text than a comment can have. An empty text is allowed. */
const checkLength = (body: string) =>
  body.trim() === "" ? Effect.void : CommentRules.checkBody("PullRequestReview", body)

/** Handlers of reviews. */
export const make = Effect.gen(function* () {
  const comments = yield* ReviewCommentRows
  const reviews = yield* Reviews
  const rules = yield* Enforcement
  const target = yield* ReviewTarget.make
  const tracer = yield* ThreadTracer
  const views = yield* ReviewViews.make

  const at = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

  const one = Effect.fnUntraced(function* (row: ReviewRow, context: RepositoryContext) {
    const [review] = yield* views.reviews([row], context.repository, context)
    return review ?? (yield* ApiError.notFound())
  })

  return group(Group)({
    *list({ pull_number }, context) {
      const { items, total } = yield* target.list(pull_number, context)
      return { items: yield* views.reviews(items, context.repository, context), total }
    },

    *create({ body = "", comments: given = [], commit_id, event, pull_number }, context) {
      const { repository } = context
      const found = yield* target.pull(pull_number, context)
      yield* target.requireOpen(found.issue, context)
      yield* checkLength(body)
      if (given.length > MAX_COMMENTS) return yield* refused(`A review can have at most ${MAX_COMMENTS} comments`)
      for (const comment of given) yield* CommentRules.checkBody("PullRequestReviewComment", comment.body)
      const commit = yield* NewThreads.commitOf(repository, found.pull, commit_id)
      const places = yield* NewThreads.placesOf(
        repository,
        found.pull,
        commit,
        given.map(({ line, path, position, side, start_line, start_side }) => ({
          path,
          position,
          side,
          line,
          startLine: start_line,
          startSide: start_side
        }))
      )
      const added = places.map((place, index) => ({ ...place, body: given[index]?.body ?? "" }))
      const review = yield* reviews.create(at(context), found, { body, comments: added, commit, event })
      yield* tracer.trace(found.issue.id)
      return yield* one(review, context)
    },

    *get({ pull_number, review_id }, context) {
      const { review } = yield* target.review(pull_number, review_id, context)
      return yield* one(review, context)
    },

    *update({ body, pull_number, review_id }, context) {
      const { issue, review } = yield* target.review(pull_number, review_id, context)
      yield* CommentRules.mayChange(review, context)
      yield* checkLength(body)
      return yield* one(yield* reviews.edit(at(context), issue, review, body), context)
    },

    *deletePending({ pull_number, review_id }, context) {
      const { review } = yield* target.review(pull_number, review_id, context)
      const shape = yield* one(review, context)
      yield* reviews.discard(review)
      return shape
    },

    *listComments({ pull_number, review_id }, context) {
      const { caller, page, repository } = context
      const scope = { repositoryId: repository.row.id, pullNumber: pull_number, reviewId: review_id }
      const order = { order: "id", descending: false } as const // literal types
      const { items, total } = yield* comments.list(scope, order, ReviewTarget.readerOf(caller), page)
      if (total === 0) yield* target.review(pull_number, review_id, context)
      return { items: yield* views.comments(items, repository, context), total }
    },

    *dismiss({ message, pull_number, review_id }, context) {
      const { issue, pull } = yield* target.pull(pull_number, context)
      const { review } = yield* target.review(pull_number, review_id, context)
      yield* CommentRules.checkBody("PullRequestReview", message)
      if (!(yield* rules.mayDismissReviews(context, pull.base_ref)))
        return yield* ApiError.forbidden("Rules of the base branch restrict who may dismiss reviews")
      return yield* one(yield* reviews.dismiss(at(context), issue, review, message), context)
    },

    *submit({ body, event, pull_number, review_id }, context) {
      const { issue, review } = yield* target.review(pull_number, review_id, context)
      if (review.user_id !== context.caller.user.id && !atLeast(context.role, "write"))
        return yield* ApiError.notFound()
      yield* target.requireOpen(issue, context)
      if (body !== undefined) yield* checkLength(body)
      return yield* one(yield* reviews.submit(at(context), issue, review, event, body), context)
    }
  })
})
