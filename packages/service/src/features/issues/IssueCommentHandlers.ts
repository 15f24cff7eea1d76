import * as Effect from "effect/Effect"
import { IssueComments } from "@tongs/core/contract/groups/IssueComments"
import { atLeast } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { timestamp } from "../../base/Time.ts"
import { type IssueCommentRow, IssueCommentRows } from "../../issues/IssueCommentRows.ts"
import { IssueConversations } from "../../issues/IssueConversations.ts"
import * as IssueViews from "../../issues/IssueViews.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as BlockRules from "../../api/BlockRules.ts"
import * as IssueTarget from "./IssueTarget.ts"

const sinceOf = (since: string | undefined) => (since === undefined ? undefined : timestamp(Date.parse(since)))

/** Handlers of comments on issues. */
export const make = Effect.gen(function* () {
  const rows = yield* IssueCommentRows
  const { refuseBlocked } = yield* BlockRules.make
  const conversations = yield* IssueConversations
  const target = yield* IssueTarget.make
  const transaction = yield* Transaction.make
  const views = yield* IssueViews.make

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    const row = (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
    return repository.row.has_issues === 1 || row.is_pull_request === 1 ? row : yield* ApiError.notFound()
  })

  const one = Effect.fnUntraced(function* (row: IssueCommentRow, context: RepositoryContext) {
    const [comment] = yield* views.comments([row], context.repository, context)
    return comment ?? (yield* ApiError.notFound())
  })

  const at = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

  /** Finds an issue on which the caller may comment. */
  const unlocked = Effect.fnUntraced(function* (number: number, context: SignedInRepositoryContext) {
    const issue = yield* target.find(number, context)
    yield* refuseBlocked(context, issue.author?.id)
    return issue.locked === 1 && !atLeast(context.role, "write")
      ? yield* ApiError.forbidden("Unable to create comment because issue is locked.")
      : issue
  })

  /** Changes a comment in one transaction with its checks, and returns the comment. */
  const changed = <E>(change: Effect.Effect<IssueCommentRow, E>, context: RepositoryContext) =>
    Effect.flatMap(transaction(change), (row) => one(row, context))

  /** Finds a comment that the caller may change. */
  const own = Effect.fnUntraced(function* (id: number, context: SignedInRepositoryContext) {
    const row = yield* find(id, context)
    yield* CommentRules.mayChange({ user_id: row.author_id }, context)
    return row
  })

  return group(IssueComments)({
    *list({ issue_number, since }, context) {
      const { items, total } = yield* target.list(issue_number, context, (issue) =>
        rows.list(issue, sinceOf(since), context.page)
      )
      const keyed = yield* views.keyedComments(items, context.repository, context)
      return { keyed: () => keyed, total }
    },

    *create({ body, issue_number }, context) {
      yield* CommentRules.checkBody("IssueComment", body)
      return yield* changed(
        Effect.flatMap(unlocked(issue_number, context), (issue) => conversations.add(at(context), issue, body)),
        context
      )
    },

    *listForRepo({ direction = "asc", since, sort }, context) {
      const filter = {
        since: sinceOf(since),
        sort: sort ?? "created",
        direction: sort === undefined ? "asc" : direction
      } as const // literal types
      const { items, total } = yield* rows.listForRepo(context.repository.row.id, filter, context.page)
      const keyed = yield* views.keyedComments(items, context.repository, context)
      return { keyed: () => keyed, total }
    },

    *get({ comment_id }, context) {
      return yield* one(yield* find(comment_id, context), context)
    },

    *update({ body, comment_id }, context) {
      yield* CommentRules.checkBody("IssueComment", body)
      return yield* changed(
        Effect.flatMap(own(comment_id, context), (row) => conversations.edit(at(context), row, body)),
        context
      )
    },

    *delete({ comment_id }, context) {
      yield* transaction(Effect.flatMap(own(comment_id, context), (row) => conversations.remove(at(context), row)))
    },

    *pin({ comment_id }, context) {
      return yield* changed(
        Effect.flatMap(find(comment_id, context), (row) => conversations.pin(at(context), row)),
        context
      )
    },

    *unpin({ comment_id }, context) {
      yield* transaction(Effect.flatMap(find(comment_id, context), (row) => conversations.unpin(at(context), row)))
    }
  })
})
