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
import * as Transaction from "../../storage/Transaction.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import * as IssueTarget from "./IssueTarget.ts"

const sinceOf = (since: string | undefined) => (since === undefined ? undefined : timestamp(Date.parse(since)))

/** Handlers of comments on issues. */
export const make = Effect.gen(function* () {
  const rows = yield* IssueCommentRows
  const conversations = yield* IssueConversations
  const target = yield* IssueTarget.make
  const transaction = yield* Transaction.make
  const views = yield* IssueViews.make

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const one = Effect.fnUntraced(function* (row: IssueCommentRow, context: RepositoryContext) {
    const [comment] = yield* views.comments([row], context.repository, context)
    return comment ?? (yield* ApiError.notFound())
  })

  const at = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

  /** Finds a comment and changes it, in one transaction. */
  const change = <A, E, F>(
    found: Effect.Effect<IssueCommentRow, E>,
    by: (row: IssueCommentRow) => Effect.Effect<A, F>
  ) => transaction(Effect.flatMap(found, by))

  /** Finds a comment that the caller may change. */
  const own = Effect.fnUntraced(function* (id: number, context: SignedInRepositoryContext) {
    const row = yield* find(id, context)
    yield* CommentRules.mayChange({ user_id: row.author_id }, context)
    return row
  })

  return group(IssueComments)({
    *list({ issue_number, since }, context) {
      const issue = yield* target.find(issue_number, context)
      const { items, total } = yield* rows.list(issue.id, sinceOf(since), context.page)
      return { items: yield* views.comments(items, context.repository, context), total }
    },

    *create({ body, issue_number }, context) {
      const row = yield* transaction(
        Effect.gen(function* () {
          const issue = yield* target.find(issue_number, context)
          yield* CommentRules.checkBody("IssueComment", body)
          if (issue.locked === 1 && !atLeast(context.role, "write"))
            return yield* ApiError.forbidden("Unable to create comment because issue is locked.")
          return yield* conversations.add(at(context), issue, body)
        })
      )
      return yield* one(row, context)
    },

    *listForRepo({ direction = "asc", since, sort }, context) {
      const filter = {
        since: sinceOf(since),
        sort: sort ?? "created",
        direction: sort === undefined ? "asc" : direction
      } as const // literal types
      const { items, total } = yield* rows.listForRepo(context.repository.row.id, filter, context.page)
      return { items: yield* views.comments(items, context.repository, context), total }
    },

    *get({ comment_id }, context) {
      return yield* one(yield* find(comment_id, context), context)
    },

    *update({ body, comment_id }, context) {
      const edit = Effect.fnUntraced(function* (row: IssueCommentRow) {
        yield* CommentRules.checkBody("IssueComment", body)
        return yield* conversations.edit(at(context), row, body)
      })
      return yield* one(yield* change(own(comment_id, context), edit), context)
    },

    *delete({ comment_id }, context) {
      yield* change(own(comment_id, context), (row) => conversations.remove(at(context), row))
    },

    *pin({ comment_id }, context) {
      const pinned = change(find(comment_id, context), (row) => conversations.pin(at(context), row))
      return yield* one(yield* pinned, context)
    },

    *unpin({ comment_id }, context) {
      yield* change(find(comment_id, context), (row) => conversations.unpin(at(context), row))
    }
  })
})
