/** Database rows of stars. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow } from "../../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"

/** A star of an account: the id of the repository, and the time (ISO 8601). */
const StarRow = Schema.Struct({ repository_id: Schema.Int, created_at: Schema.String })
export type StarRow = typeof StarRow.Type

/** An account that has starred a repository. */
const StargazerRow = Schema.Struct({ ...UserRow.fields, starred_at: Schema.String })
export type StargazerRow = typeof StargazerRow.Type

const stars = decodeRows(StarRow)
const one = decodeFirstRow(StarRow)
const stargazers = decodeRows(StargazerRow)

/** Reads and writes stars. */
export class StarRows extends Context.Service<
  StarRows,
  {
    /** Returns the stars of an account, oldest first. */
    ofUser(userId: number): Effect.Effect<ReadonlyArray<StarRow>>
    /** Returns a page of the accounts that have starred a repository, in the order of the stars. */
    ofRepository(repositoryId: number, page: PageRequest): Effect.Effect<Slice<StargazerRow>>
    has(userId: number, repositoryId: number): Effect.Effect<boolean>
    /** Adds a star, by default now. Returns undefined if the account has already starred the repository. */
    add(userId: number, repositoryId: number, createdAt?: string): Effect.Effect<StarRow | undefined>
    /** Removes a star. Returns false if the account has not starred the repository. */
    remove(userId: number, repositoryId: number): Effect.Effect<boolean>
    /** Removes the stars of all repositories of an owner. */
    removeOwned(userId: number, ownerId: number): Effect.Effect<void>
  }
>()("@tongs/service/features/stars/StarRows") {
  static readonly layer = Layer.effect(
    StarRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      return StarRows.of({
        ofUser: (userId) =>
          stars(sql`
            SELECT repository_id, created_at FROM stars WHERE user_id = ${userId} ORDER BY created_at, repository_id`),
        ofRepository: Effect.fn("StarRows.ofRepository")(function* (repositoryId, { offset, perPage }) {
          const items = yield* stargazers(sql`
            SELECT u.*, s.created_at AS starred_at FROM stars s JOIN users u ON u.id = s.user_id
            WHERE s.repository_id = ${repositoryId}
            ORDER BY s.created_at, s.user_id LIMIT ${perPage} OFFSET ${offset}`)
          const total = yield* decodeCount(
            sql`SELECT count(*) AS count FROM stars WHERE repository_id = ${repositoryId}`
          )
          return { items, total }
        }),
        has: (userId, repositoryId) =>
          Effect.map(
            Effect.orDie(sql`SELECT 1 FROM stars WHERE user_id = ${userId} AND repository_id = ${repositoryId}`),
            (rows) => rows.length > 0
          ),
        add: Effect.fn("StarRows.add")(function* (userId, repositoryId, createdAt) {
          const row = {
            repository_id: repositoryId,
            user_id: userId,
            created_at: createdAt ?? timestamp(yield* Clock.currentTimeMillis)
          }
          return yield* one(sql`
            INSERT INTO stars ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING repository_id, created_at`)
        }),
        removeOwned: (userId, ownerId) =>
          Effect.orDie(
            Effect.asVoid(sql`
              DELETE FROM stars WHERE user_id = ${userId}
                AND repository_id IN (SELECT id FROM repositories WHERE owner_id = ${ownerId})`)
          ),
        remove: (userId, repositoryId) =>
          Effect.map(
            Effect.orDie(
              sql`DELETE FROM stars WHERE user_id = ${userId} AND repository_id = ${repositoryId} RETURNING user_id`
            ),
            (rows) => rows.length > 0
          )
      })
    })
  )
}
