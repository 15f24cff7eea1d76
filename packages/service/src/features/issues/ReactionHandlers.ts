import * as Effect from "effect/Effect"
import { Reactions } from "@tongs/core/contract/groups/Reactions"
import * as ApiError from "../../api/ApiError.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { IssueCommentRows } from "../../issues/IssueCommentRows.ts"
import * as IssueShapes from "../../issues/IssueShapes.ts"
import { ReactionRows, type ReactionSubject } from "../../issues/ReactionRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { CommitCommentRows } from "../comments/CommitCommentRows.ts"
import { ReviewCommentRows } from "../../reviews/ReviewCommentRows.ts"
import * as BlockRules from "../../api/BlockRules.ts"
import * as ReleaseTarget from "../releases/ReleaseTarget.ts"
import * as IssueTarget from "./IssueTarget.ts"

/** Handlers of reactions. */
export const make = Effect.gen(function* () {
  const rows = yield* ReactionRows
  const { refuseBlocked } = yield* BlockRules.make
  const issueComments = yield* IssueCommentRows
  const commitComments = yield* CommitCommentRows
  const reviewComments = yield* ReviewCommentRows
  const comments = {
    issue_comment_id: (repositoryId: number, id: number) => issueComments.find(repositoryId, id),
    commit_comment_id: (repositoryId: number, id: number) => commitComments.find(repositoryId, id),
    review_comment_id: (repositoryId: number, id: number, readerId: number | undefined) =>
      reviewComments.find(repositoryId, id, readerId)
  }
  const target = yield* IssueTarget.make
  const releases = yield* ReleaseTarget.make
  const transaction = yield* Transaction.make

  const issue = Effect.fnUntraced(function* (number: number, context: RepositoryContext) {
    const { id } = yield* target.find(number, context)
    return { column: "issue_id", id } satisfies ReactionSubject
  })

  const comment = (column: keyof typeof comments) =>
    Effect.fnUntraced(function* (id: number, { caller, repository }: RepositoryContext) {
      const readerId = caller.kind === "anonymous" ? undefined : caller.user.id
      if ((yield* comments[column](repository.row.id, id, readerId)) === undefined) return yield* ApiError.notFound()
      return { column, id } satisfies ReactionSubject
    })

  const issueComment = comment("issue_comment_id")
  const commitComment = comment("commit_comment_id")
  const reviewComment = comment("review_comment_id")

  const release = Effect.fnUntraced(function* (releaseId: number, context: RepositoryContext) {
    const { id } = yield* releases.find(releaseId, context)
    return { column: "release_id", id } satisfies ReactionSubject
  })

  const list = Effect.fnUntraced(function* (
    subject: ReactionSubject,
    content: string | undefined,
    { page, urls }: RepositoryContext
  ) {
    const { items, total } = yield* rows.list(subject, content, page)
    return { items: items.map((row) => IssueShapes.reaction(row, urls)), total }
  })

  /** Adds a reaction. Returns an existing one with status 200. */
  const add = Effect.fnUntraced(function* <E>(
    subject: Effect.Effect<ReactionSubject, E>,
    content: string,
    context: SignedInRepositoryContext
  ) {
    const { caller, urls } = context
    yield* refuseBlocked(context)
    const { isNew, row } = yield* transaction(
      Effect.flatMap(subject, (found) => rows.add(found, caller.user.id, content))
    )
    const shape = IssueShapes.reaction(row, urls)
    return isNew ? shape : withStatus(200, shape)
  })

  const remove = Effect.fnUntraced(function* (
    subject: ReactionSubject,
    id: number,
    { caller }: SignedInRepositoryContext
  ) {
    const row = yield* rows.find(subject, id)
    if (row === undefined) return yield* ApiError.notFound()
    if (row.user_id !== caller.user.id) return yield* ApiError.forbidden("Only one's own reaction can be deleted")
    yield* rows.remove(id)
  })

  return group(Reactions)({
    *listForIssue({ content, issue_number }, context) {
      return yield* list(yield* issue(issue_number, context), content, context)
    },
    *createForIssue({ content, issue_number }, context) {
      return yield* add(issue(issue_number, context), content, context)
    },
    *deleteForIssue({ issue_number, reaction_id }, context) {
      yield* remove(yield* issue(issue_number, context), reaction_id, context)
    },
    *listForIssueComment({ comment_id, content }, context) {
      return yield* list(yield* issueComment(comment_id, context), content, context)
    },
    *createForIssueComment({ comment_id, content }, context) {
      return yield* add(issueComment(comment_id, context), content, context)
    },
    *deleteForIssueComment({ comment_id, reaction_id }, context) {
      yield* remove(yield* issueComment(comment_id, context), reaction_id, context)
    },
    *listForCommitComment({ comment_id, content }, context) {
      return yield* list(yield* commitComment(comment_id, context), content, context)
    },
    *createForCommitComment({ comment_id, content }, context) {
      return yield* add(commitComment(comment_id, context), content, context)
    },
    *deleteForCommitComment({ comment_id, reaction_id }, context) {
      yield* remove(yield* commitComment(comment_id, context), reaction_id, context)
    },
    *listForReviewComment({ comment_id, content }, context) {
      return yield* list(yield* reviewComment(comment_id, context), content, context)
    },
    *createForReviewComment({ comment_id, content }, context) {
      return yield* add(reviewComment(comment_id, context), content, context)
    },
    *deleteForReviewComment({ comment_id, reaction_id }, context) {
      yield* remove(yield* reviewComment(comment_id, context), reaction_id, context)
    },
    *listForRelease({ content, release_id }, context) {
      return yield* list(yield* release(release_id, context), content, context)
    },
    *createForRelease({ content, release_id }, context) {
      return yield* add(release(release_id, context), content, context)
    },
    *deleteForRelease({ reaction_id, release_id }, context) {
      yield* remove(yield* release(release_id, context), reaction_id, context)
    }
  })
})
