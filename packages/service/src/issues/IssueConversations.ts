/** Comments on issues. Each change runs in one transaction with the deliveries of webhooks. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { timestamp } from "../base/Time.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import { Notifications } from "../notifications/Notifications.ts"
import * as Transaction from "../storage/Transaction.ts"
import { CrossReferences } from "./CrossReferences.ts"
import * as IssueAnnouncements from "./IssueAnnouncements.ts"
import { type IssueCommentRow, IssueCommentRows } from "./IssueCommentRows.ts"
import { type IssueRow, IssueRows } from "./IssueRows.ts"

type Changed = Effect.Effect<IssueCommentRow, GitError>

export class IssueConversations extends Context.Service<
  IssueConversations,
  {
    add(at: EventContext, issue: IssueRow, body: string): Changed
    edit(at: EventContext, comment: IssueCommentRow, body: string): Changed
    pin(at: EventContext, comment: IssueCommentRow): Changed
    unpin(at: EventContext, comment: IssueCommentRow): Changed
    remove(at: EventContext, comment: IssueCommentRow): Effect.Effect<void, GitError>
  }
>()("@tongs/service/issues/IssueConversations") {
  static readonly layer = Layer.effect(
    IssueConversations,
    Effect.gen(function* () {
      const rows = yield* IssueCommentRows
      const issues = yield* IssueRows
      const references = yield* CrossReferences
      const notifications = yield* Notifications
      const announcements = yield* IssueAnnouncements.make
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const find = (repositoryId: number, id: number) => requireRow(rows.find(repositoryId, id))
      const issueOf = ({ issue_id }: Pick<IssueCommentRow, "issue_id">) =>
        requireRow(Effect.map(issues.byIds([issue_id]), (found) => found.get(issue_id)))

      /** Reads a changed comment and announces the action. */
      const announce = Effect.fnUntraced(function* (
        at: EventContext,
        { id, issue_id }: Pick<IssueCommentRow, "id" | "issue_id">,
        action: string,
        more?: Readonly<Record<string, unknown>>
      ) {
        const changed = yield* find(at.repository.row.id, id)
        yield* announcements.commented(at, yield* issueOf({ issue_id }), changed, action, more)
        return changed
      })

      return IssueConversations.of({
        add: Effect.fn("IssueConversations.add")((at, issue, body) =>
          transaction(
            Effect.gen(function* () {
              const time = yield* now
              const id = yield* rows.add({
                repository_id: issue.repository_id,
                issue_id: issue.id,
                author_id: at.actor.id,
                body,
                created_at: time,
                updated_at: time
              })
              yield* issues.countComment(issue.id, 1, time)
              const mentions = yield* references.record(at, { issue, commentId: id }, body, null, time)
              yield* notifications.notify({
                issue,
                actorId: at.actor.id,
                at: time,
                addressed: { comment: [at.actor.id], ...mentions }
              })
              return yield* announce(at, { id, issue_id: issue.id }, "created")
            })
          )
        ),

        edit: Effect.fn("IssueConversations.edit")((at, comment, body) =>
          transaction(
            Effect.gen(function* () {
              if (body === comment.body) return comment
              const time = yield* now
              yield* rows.setBody(comment.id, body, time)
              const source = {
                issue: { id: comment.issue_id, repository_id: comment.repository_id },
                commentId: comment.id
              }
              const addressed = yield* references.record(at, source, body, comment.body, time)
              yield* notifications.notify({
                issue: source.issue,
                actorId: at.actor.id,
                at: time,
                addressed: { ...addressed },
                onlyAddressed: true
              })
              return yield* announce(at, comment, "edited", { changes: { body: { from: comment.body } } })
            })
          )
        ),

        pin: Effect.fn("IssueConversations.pin")((at, comment) =>
          transaction(
            Effect.gen(function* () {
              if (comment.pinned_at !== null) return comment
              yield* rows.pin(comment, at.actor.id, yield* now)
              return yield* announce(at, comment, "pinned")
            })
          )
        ),

        unpin: Effect.fn("IssueConversations.unpin")((at, comment) =>
          transaction(
            Effect.gen(function* () {
              if (comment.pinned_at === null) return comment
              yield* rows.unpin(comment.id)
              return yield* announce(at, comment, "unpinned")
            })
          )
        ),

        remove: Effect.fn("IssueConversations.remove")((at, comment) =>
          transaction(
            Effect.gen(function* () {
              yield* rows.remove(comment.id)
              yield* issues.countComment(comment.issue_id, -1, yield* now)
              yield* announcements.commented(at, yield* issueOf(comment), comment, "deleted")
            })
          )
        )
      })
    })
  )
}
