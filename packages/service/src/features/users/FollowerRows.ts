/** Database rows of followers. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow } from "../../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import { decodeCount, decodeRows } from "../../storage/RowDecoder.ts"

const users = decodeRows(UserRow)

/** Reads and writes who follows whom. */
export class FollowerRows extends Context.Service<
  FollowerRows,
  {
    /** Returns a page of the followers of an account, oldest first. */
    followers(userId: number, page: PageRequest): Effect.Effect<Slice<UserRow>>
    /** Returns a page of the accounts that an account follows, oldest first. */
    following(userId: number, page: PageRequest): Effect.Effect<Slice<UserRow>>
    has(userId: number, followerId: number): Effect.Effect<boolean>
    add(userId: number, followerId: number): Effect.Effect<void>
    remove(userId: number, followerId: number): Effect.Effect<void>
  }
>()("@tongs/service/features/users/FollowerRows") {
  static readonly layer = Layer.effect(
    FollowerRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      /** Returns a page of the accounts in column `other` of the rows with an account in column `own`. */
      const list = Effect.fn("FollowerRows.list")(function* (
        [own, other]: readonly ["user_id" | "follower_id", "user_id" | "follower_id"],
        id: number,
        { offset, perPage }: PageRequest
      ) {
        const total = yield* decodeCount(sql`SELECT count(*) AS count FROM followers WHERE ${sql(own)} = ${id}`)
        const items = yield* users(sql`
          SELECT u.* FROM followers f JOIN users u ON u.id = ${sql(`f.${other}`)}
          WHERE ${sql(`f.${own}`)} = ${id}
          ORDER BY f.created_at, ${sql(`f.${other}`)} LIMIT ${perPage} OFFSET ${offset}`)
        return { items, total }
      })

      return FollowerRows.of({
        followers: (userId, page) => list(["user_id", "follower_id"], userId, page),
        following: (userId, page) => list(["follower_id", "user_id"], userId, page),
        has: (userId, followerId) =>
          Effect.map(
            Effect.orDie(sql`SELECT 1 FROM followers WHERE user_id = ${userId} AND follower_id = ${followerId}`),
            (rows) => rows.length > 0
          ),
        add: Effect.fn("FollowerRows.add")(function* (userId, followerId) {
          const row = {
            user_id: userId,
            follower_id: followerId,
            created_at: timestamp(yield* Clock.currentTimeMillis)
          }
          yield* run(sql`INSERT INTO followers ${sql.insert(row)} ON CONFLICT DO NOTHING`)
        }),
        remove: (userId, followerId) =>
          run(sql`DELETE FROM followers WHERE user_id = ${userId} AND follower_id = ${followerId}`)
      })
    })
  )
}
