/** Who watches or ignores which repositories, and who is subscribed to which issues. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { metadataRead } from "@tongs/core/contract/Operation"
import type { Caller } from "../access/Caller.ts"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import { UserRow } from "../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** The watching of a repository. Without a row, a user is notified of the conversations with the user. */
export const RepositorySubscriptionRow = Schema.Struct({ ignored: Schema.Int, created_at: Schema.String })
export type RepositorySubscriptionRow = typeof RepositorySubscriptionRow.Type

/** Why a user is subscribed to an issue. */
const SubscriptionReason = Schema.Literals([
  "assign",
  "author",
  "comment",
  "manual",
  "mention",
  "review_requested",
  "state_change",
  "team_mention"
])
export type SubscriptionReason = typeof SubscriptionReason.Type

/** The subscription to an issue. Without a row, only watchers of the repository are notified. */
export const IssueSubscriptionRow = Schema.Struct({ ...RepositorySubscriptionRow.fields, reason: SubscriptionReason })
export type IssueSubscriptionRow = typeof IssueSubscriptionRow.Type

const reasons = SubscriptionReason.literals
const weak = ["manual", "state_change"] as const // literal types

/** The present reasons that a new one replaces. A user who was mentioned is not mentioned by a team later. */
const replaced: Readonly<Record<SubscriptionReason, ReadonlyArray<SubscriptionReason>>> = {
  assign: reasons,
  author: reasons,
  mention: reasons,
  review_requested: reasons,
  team_mention: reasons.filter((reason) => reason !== "mention"),
  comment: weak,
  manual: weak,
  state_change: weak
}

/** Reasons that end the ignoring of an issue. */
const endsIgnoring: ReadonlySet<SubscriptionReason> = new Set(["comment", "mention", "team_mention"])

/** Condition: the account of table `u` may read the repository of table `r`, and has not blocked the actor. */
export const canReceiveFrom = (sql: SqlClient.SqlClient, actorId: number): Fragment => sql`(
  ${sql.literal(ReadableRepositories.byAccount("read", "u", "r"))}
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = u.id AND b.blocked_id = ${actorId}))`

const watching = decodeFirstRow(RepositorySubscriptionRow)
const subscription = decodeFirstRow(IssueSubscriptionRow)
const users = decodeRows(UserRow)
const idRows = decodeRows(Schema.Struct({ id: Schema.Int }))

/** Reads and writes subscriptions. Times are ISO 8601. */
export class SubscriptionRows extends Context.Service<
  SubscriptionRows,
  {
    watching(userId: number, repositoryId: number): Effect.Effect<RepositorySubscriptionRow | undefined>
    watch(userId: number, repositoryId: number, ignored: boolean, at: string): Effect.Effect<void>
    unwatch(userId: number, repositoryId: number): Effect.Effect<void>
    /** Ends the watching of all repositories of an owner. */
    unwatchOwned(userId: number, ownerId: number): Effect.Effect<void>
    /** Returns a page of the watchers of a repository who may read it, by id. */
    watchers(repositoryId: number, page: PageRequest): Effect.Effect<Slice<UserRow>>
    /** Returns a page of the ids of the repositories that a user watches and the caller may read. */
    watched(userId: number, caller: Caller, page: PageRequest): Effect.Effect<Slice<number>>
    toIssue(userId: number, issueId: number): Effect.Effect<IssueSubscriptionRow | undefined>
    /**
     * Subscribes users who take part in an issue or are addressed. Comments and mentions end their ignoring of the
     * issue. With an actor, only users whom the actor can notify.
     */
    participate(
      issueId: number,
      userIds: ReadonlyArray<number>,
      reason: SubscriptionReason,
      at: string,
      actorId?: number
    ): Effect.Effect<void>
    /** Subscribes to an issue on request, or ignores it. The reason of a subscription stays. */
    subscribe(userId: number, issueId: number, ignored: boolean, at: string): Effect.Effect<void>
    unsubscribe(userId: number, issueId: number): Effect.Effect<void>
  }
>()("@tongs/service/notifications/SubscriptionRows") {
  static readonly layer = Layer.effect(
    SubscriptionRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf, isOneOfTexts } = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const one = (userId: number, repositoryId: number) => sql`user_id = ${userId} AND repository_id = ${repositoryId}`
      const toOneIssue = (userId: number, issueId: number) => sql`user_id = ${userId} AND issue_id = ${issueId}`

      return SubscriptionRows.of({
        watching: (userId, repositoryId) =>
          watching(sql`SELECT ignored, created_at FROM repository_subscriptions WHERE ${one(userId, repositoryId)}`),
        watch: (userId, repositoryId, ignored, at) =>
          run(sql`
            INSERT INTO repository_subscriptions (repository_id, user_id, ignored, created_at)
            VALUES (${repositoryId}, ${userId}, ${ignored ? 1 : 0}, ${at})
            ON CONFLICT (repository_id, user_id) DO UPDATE SET ignored = excluded.ignored`),
        unwatch: (userId, repositoryId) =>
          run(sql`DELETE FROM repository_subscriptions WHERE ${one(userId, repositoryId)}`),
        unwatchOwned: (userId, ownerId) =>
          run(sql`
            DELETE FROM repository_subscriptions WHERE user_id = ${userId} AND ignored = 0
              AND repository_id IN (SELECT id FROM repositories WHERE owner_id = ${ownerId})`),
        watchers: Effect.fn("SubscriptionRows.watchers")(function* (repositoryId, { offset, perPage }) {
          const from = sql`
            FROM repository_subscriptions s JOIN users u ON u.id = s.user_id JOIN repositories r ON r.id = s.repository_id
            WHERE s.repository_id = ${repositoryId} AND s.ignored = 0
              AND ${sql.literal(ReadableRepositories.byAccount("read", "u", "r"))}`
          return {
            items: yield* users(sql`SELECT u.* ${from} ORDER BY u.id LIMIT ${perPage} OFFSET ${offset}`),
            total: yield* decodeCount(sql`SELECT count(*) AS count ${from}`)
          }
        }),
        watched: Effect.fn("SubscriptionRows.watched")(function* (userId, caller, { offset, perPage }) {
          const from = sql`
            FROM repository_subscriptions s JOIN repositories r ON r.id = s.repository_id
            WHERE s.user_id = ${userId} AND s.ignored = 0
              AND ${ReadableRepositories.byCaller(sql, caller, metadataRead, "r")}`
          const items = yield* idRows(sql`SELECT r.id ${from} ORDER BY r.id LIMIT ${perPage} OFFSET ${offset}`)
          return {
            items: items.map(({ id }) => id),
            total: yield* decodeCount(sql`SELECT count(*) AS count ${from}`)
          }
        }),
        toIssue: (userId, issueId) =>
          subscription(
            sql`SELECT reason, ignored, created_at FROM issue_subscriptions WHERE ${toOneIssue(userId, issueId)}`
          ),
        participate: (issueId, userIds, reason, at, actorId) =>
          userIds.length === 0
            ? Effect.void
            : run(sql`
                INSERT INTO issue_subscriptions (issue_id, user_id, reason, ignored, created_at)
                SELECT i.id, u.id, ${reason}, 0, ${at} FROM users u
                JOIN issues i ON i.id = ${issueId} JOIN repositories r ON r.id = i.repository_id
                WHERE u.type = 'User' AND ${isOneOf("u.id", userIds)}
                  AND ${actorId === undefined ? sql`true` : canReceiveFrom(sql, actorId)}
                ON CONFLICT (issue_id, user_id) DO UPDATE SET
                  reason = CASE WHEN ${isOneOfTexts("issue_subscriptions.reason", replaced[reason])}
                    THEN excluded.reason ELSE issue_subscriptions.reason END,
                  ignored = ${endsIgnoring.has(reason) ? sql`0` : sql`issue_subscriptions.ignored`}`),
        subscribe: (userId, issueId, ignored, at) =>
          run(sql`
            INSERT INTO issue_subscriptions (issue_id, user_id, reason, ignored, created_at)
            VALUES (${issueId}, ${userId}, 'manual', ${ignored ? 1 : 0}, ${at})
            ON CONFLICT (issue_id, user_id) DO UPDATE SET ignored = excluded.ignored`),
        unsubscribe: (userId, issueId) => run(sql`DELETE FROM issue_subscriptions WHERE ${toOneIssue(userId, issueId)}`)
      })
    })
  )
}
