/** Reads the notifications of a user, and marks them as read or done. What the caller cannot read does not exist. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { issuesRead } from "@tongs/core/contract/IssueAccess"
import { notificationReasons } from "@tongs/core/contract/groups/Notifications"
import type { Authenticated } from "../access/Caller.ts"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { parseTimestamp, timestamp } from "../base/Time.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"

/** A thread. Times are ISO 8601. */
export const NotificationRow = Schema.Struct({
  id: Schema.Int,
  issue_id: Schema.Int,
  repository_id: Schema.Int,
  number: Schema.Int,
  title: Schema.String,
  /** The newest comment on the issue. */
  comment_id: Schema.NullOr(Schema.Int),
  reason: Schema.Literals(notificationReasons),
  unread: Schema.Int,
  updated_at: Schema.String,
  last_read_at: Schema.NullOr(Schema.String)
})
export type NotificationRow = typeof NotificationRow.Type

export interface NotificationFilter {
  /** Also threads that were read. */
  readonly all: boolean
  /** Only threads in which the user takes part. */
  readonly participating: boolean
  /** ISO 8601. */
  readonly since: string | undefined
  readonly before: string | undefined
  readonly repositoryId: number | undefined
}

/** A thread for fixtures. */
export interface NewNotification extends Pick<
  NotificationRow,
  "issue_id" | "repository_id" | "reason" | "unread" | "updated_at"
> {
  readonly user_id: number
}

/** Months after which a thread ends. */
const LIFETIME_MONTHS = 5

const all = decodeRows(NotificationRow)
const one = decodeFirstRow(NotificationRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const totals = decodeFirstRow(Schema.Struct({ count: Schema.Int, changed_at: Schema.NullOr(Schema.String) }))

export class NotificationRows extends Context.Service<
  NotificationRows,
  {
    /** Returns a page of the caller's threads, the newest first. */
    list(caller: Authenticated, filter: NotificationFilter, page: PageRequest): Effect.Effect<Slice<NotificationRow>>
    /** Adds a thread, or updates the user's thread of the issue. Returns the id. */
    add(thread: NewNotification): Effect.Effect<number>
    find(caller: Authenticated, id: number): Effect.Effect<NotificationRow | undefined>
    /** Marks threads as read that were updated at `until` or earlier (ISO 8601), by default of all repositories. */
    markRead(
      userId: number,
      until: string,
      only?: { readonly repositoryId?: number; readonly id?: number }
    ): Effect.Effect<void>
    /** Hides a thread until it is updated. */
    markDone(userId: number, id: number): Effect.Effect<void>
  }
>()("@tongs/service/notifications/NotificationRows") {
  static readonly layer = Layer.effect(
    NotificationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "n.id, n.issue_id, n.repository_id, i.number, i.title, n.reason, n.unread, n.updated_at, n.last_read_at"
      )

      /** The threads of the caller's inbox. */
      const own = Effect.fnUntraced(function* ({ user }: Authenticated) {
        const end = new Date(yield* Clock.currentTimeMillis)
        end.setUTCMonth(end.getUTCMonth() - LIFETIME_MONTHS)
        return sql`FROM notifications n
          WHERE n.user_id = ${user.id} AND n.done = 0 AND n.updated_at > ${timestamp(end.getTime())}`
      })

      /** Condition: the caller may read the thread. The readable repositories are found once, not for each thread. */
      const isReadable = (caller: Authenticated) => sql`n.repository_id IN (SELECT r.id FROM repositories r
        WHERE ${ReadableRepositories.byCaller(sql, caller, issuesRead, "r")})`

      const visible = Effect.fnUntraced(function* (caller: Authenticated) {
        return sql`${yield* own(caller)} AND ${isReadable(caller)}`
      })

      /** Joins the issues of selected threads only. */
      const withIssues = (threads: Fragment) => sql`
        SELECT ${columns}, (SELECT max(c.id) FROM issue_comments c WHERE c.issue_id = n.issue_id) AS comment_id
        FROM (${threads}) n JOIN issues i ON i.id = n.issue_id ORDER BY n.updated_at DESC, n.id DESC`

      const conditions = ({
        all,
        before,
        participating,
        repositoryId,
        since
      }: NotificationFilter): ReadonlyArray<Fragment> => [
        ...(all ? [] : [sql`n.unread = 1`]),
        ...(participating ? [sql`n.reason <> 'subscribed'`] : []),
        ...(since === undefined ? [] : [sql`n.updated_at >= ${since}`]),
        ...(before === undefined ? [] : [sql`n.updated_at < ${before}`]),
        ...(repositoryId === undefined ? [] : [sql`n.repository_id = ${repositoryId}`])
      ]

      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      return NotificationRows.of({
        list: Effect.fn("NotificationRows.list")(function* (caller, filter, { offset, perPage }) {
          const from = sql`${yield* visible(caller)} ${sql.join(" ", false)(conditions(filter).map((one) => sql`AND ${one}`))}`
          const items = yield* all(
            withIssues(sql`SELECT n.* ${from} ORDER BY n.updated_at DESC, n.id DESC LIMIT ${perPage} OFFSET ${offset}`)
          )
          // Without a date while threads are hidden: their repositories become readable without a change of a thread.
          const { changed_at, count } = yield* requireRow(
            totals(sql`SELECT (SELECT count(*) ${from}) AS count,
              (SELECT max(changed_at) FROM notifications WHERE user_id = ${caller.user.id}
                AND NOT EXISTS (SELECT 1 ${yield* own(caller)} AND NOT ${isReadable(caller)})) AS changed_at`)
          )
          const changedAt = changed_at === null ? undefined : Date.parse(parseTimestamp(changed_at))
          // A later change in the same second would have the same date.
          const isOver = changedAt !== undefined && changedAt + 1000 <= (yield* Clock.currentTimeMillis)
          return { items, total: count, ...(isOver ? { modifiedAt: changedAt } : {}) }
        }),
        add: ({ updated_at, ...thread }) =>
          Effect.map(
            requireRow(
              added(sql`
                INSERT INTO notifications ${sql.insert({ ...thread, done: 0, updated_at, changed_at: updated_at })}
                ON CONFLICT (issue_id, user_id) DO UPDATE SET reason = excluded.reason, unread = excluded.unread,
                  done = 0, updated_at = excluded.updated_at, changed_at = excluded.changed_at
                RETURNING id`)
            ),
            ({ id }) => id
          ),
        find: Effect.fn("NotificationRows.find")(function* (caller, id) {
          return yield* one(withIssues(sql`SELECT n.* ${yield* visible(caller)} AND n.id = ${id}`))
        }),
        markRead: Effect.fn("NotificationRows.markRead")(function* (userId, until, { id, repositoryId } = {}) {
          const at = yield* now
          yield* Effect.orDie(sql`
            UPDATE notifications SET unread = 0, last_read_at = ${at}, changed_at = ${at}
            WHERE user_id = ${userId} AND unread = 1 AND updated_at <= ${until}
              ${id === undefined ? sql`` : sql`AND id = ${id}`}
              ${repositoryId === undefined ? sql`` : sql`AND repository_id = ${repositoryId}`}`)
        }),
        markDone: Effect.fn("NotificationRows.markDone")(function* (userId, id) {
          const at = yield* now
          yield* Effect.orDie(sql`
            UPDATE notifications SET unread = 0, done = 1, last_read_at = ${at}, changed_at = ${at}
            WHERE user_id = ${userId} AND id = ${id}`)
        })
      })
    })
  )
}
