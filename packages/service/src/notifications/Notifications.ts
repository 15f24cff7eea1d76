/** Notifies the people whom a change of an issue concerns, in the transaction of the change. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { canReceiveFrom, type SubscriptionReason, SubscriptionRows } from "./SubscriptionRows.ts"

/** A change of an issue. */
export interface Update {
  readonly issue: { readonly id: number; readonly repository_id: number }
  readonly actorId: number
  /** ISO 8601. */
  readonly at: string
  /** Whom the change addresses, by the reason. They are subscribed, except those whom the actor cannot notify. */
  readonly addressed?: Partial<Record<SubscriptionReason, ReadonlyArray<number>>>
  /** True if the change concerns only those whom it addresses, for example an assignment. */
  readonly onlyAddressed?: boolean
}

/** Writes notifications: one statement for any number of people, which makes one thread for each. */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** Subscribes those whom a change addresses, and notifies them, the subscribers and the watchers. */
    notify(update: Update): Effect.Effect<void>
    /** Moves the threads of an issue to another repository. */
    move(issueId: number, repositoryId: number): Effect.Effect<void>
  }
>()("@tongs/service/notifications/Notifications") {
  static readonly layer = Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const subscriptions = yield* SubscriptionRows

      return Notifications.of({
        move: (issueId, repositoryId) =>
          Effect.orDie(
            Effect.asVoid(sql`UPDATE notifications SET repository_id = ${repositoryId} WHERE issue_id = ${issueId}`)
          ),
        notify: Effect.fn("Notifications.notify")(function* (update) {
          const { actorId, addressed = {}, at, issue, onlyAddressed = false } = update
          const entries = Object.entries(addressed) as ReadonlyArray<[SubscriptionReason, ReadonlyArray<number>]> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the keys of the type
          for (const [reason, ids] of entries) yield* subscriptions.participate(issue.id, ids, reason, at, actorId)
          const ids = [...new Set(entries.flatMap(([, ids]) => ids))].filter((id) => id !== actorId)
          if (onlyAddressed && ids.length === 0) return
          const concerned = onlyAddressed
            ? isOneOf("u.id", ids)
            : sql`u.id IN (SELECT user_id FROM issue_subscriptions WHERE issue_id = ${issue.id}
                UNION SELECT user_id FROM repository_subscriptions WHERE repository_id = ${issue.repository_id})`
          yield* Effect.orDie(sql`
            INSERT INTO notifications
              (user_id, repository_id, issue_id, reason, unread, done, updated_at, changed_at)
            SELECT u.id, r.id, ${issue.id}, coalesce(s.reason, 'subscribed'), 1, 0, ${at}, ${at}
            FROM users u
            JOIN repositories r ON r.id = ${issue.repository_id}
            LEFT JOIN issue_subscriptions s ON s.issue_id = ${issue.id} AND s.user_id = u.id
            LEFT JOIN repository_subscriptions w ON w.repository_id = r.id AND w.user_id = u.id
            WHERE ${concerned} AND u.id <> ${actorId} AND u.type = 'User'
              AND coalesce(s.ignored, 0) = 0 AND coalesce(w.ignored, 0) = 0
              AND ${canReceiveFrom(sql, actorId)}
            ON CONFLICT (issue_id, user_id) DO UPDATE SET
              reason = excluded.reason, unread = 1, done = 0, updated_at = excluded.updated_at, changed_at = excluded.changed_at`)
        })
      })
    })
  )
}
