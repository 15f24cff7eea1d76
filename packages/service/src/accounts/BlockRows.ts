/** Accounts that users have blocked. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { decodeCount, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { UserRow } from "./UserRows.ts"

const users = decodeRows(UserRow)

export class BlockRows extends Context.Service<
  BlockRows,
  {
    list(userId: number, page: PageRequest): Effect.Effect<Slice<UserRow>>
    has(userId: number, blockedId: number): Effect.Effect<boolean>
    /** True if one of the users has blocked the other. */
    hasAny(userIds: ReadonlyArray<number>, blockedId: number): Effect.Effect<boolean>
    add(userId: number, blockedId: number): Effect.Effect<void>
    remove(userId: number, blockedId: number): Effect.Effect<void>
  }
>()("@tongs/service/accounts/BlockRows") {
  static readonly layer = Layer.effect(
    BlockRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      return BlockRows.of({
        list: Effect.fn("Blocks.list")(function* (userId: number, page: PageRequest) {
          const total = yield* decodeCount(sql`SELECT count(*) AS count FROM blocks WHERE user_id = ${userId}`)
          const items = yield* users(sql`
            SELECT u.* FROM users u JOIN blocks b ON b.blocked_id = u.id WHERE b.user_id = ${userId}
            ORDER BY u.id LIMIT ${page.perPage} OFFSET ${page.offset}`)
          return { items, total }
        }),
        has: (userId, blockedId) =>
          Effect.map(
            Effect.orDie(sql`SELECT 1 FROM blocks WHERE user_id = ${userId} AND blocked_id = ${blockedId}`),
            (rows) => rows.length > 0
          ),
        hasAny: (userIds, blockedId) =>
          Effect.map(
            Effect.orDie(sql`SELECT 1 FROM blocks WHERE ${isOneOf("user_id", userIds)} AND blocked_id = ${blockedId}`),
            (rows) => rows.length > 0
          ),
        add: (userId, blockedId) =>
          run(sql`INSERT INTO blocks (user_id, blocked_id) VALUES (${userId}, ${blockedId}) ON CONFLICT DO NOTHING`),
        remove: (userId, blockedId) =>
          run(sql`DELETE FROM blocks WHERE user_id = ${userId} AND blocked_id = ${blockedId}`)
      })
    })
  )
}
