/** Database rows of the profiles of accounts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow } from "../../accounts/UserRows.ts"
import * as UserTexts from "../../storage/UserTexts.ts"
import { decodeRows, decodeFirstRow, requireRow } from "../../storage/RowDecoder.ts"

/** What only the profile of an account shows, with the numbers of followers and of followed accounts. */
export const ProfileRow = Schema.Struct({
  company: Schema.NullOr(Schema.String),
  blog: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
  bio: Schema.NullOr(Schema.String),
  twitter_username: Schema.NullOr(Schema.String),
  hireable: Schema.NullOr(Schema.Int),
  suspended_at: Schema.NullOr(Schema.String),
  followers: Schema.Int,
  following: Schema.Int
})
export type ProfileRow = typeof ProfileRow.Type

/** Columns of a profile to change. */
export type ProfileColumns = Partial<
  Omit<ProfileRow, "suspended_at" | "followers" | "following"> & Pick<UserRow, "name" | "email">
>

const one = decodeFirstRow(ProfileRow)
const users = decodeRows(UserRow)

/** Reads and writes profiles. */
export class ProfileRows extends Context.Service<
  ProfileRows,
  {
    get(userId: number): Effect.Effect<ProfileRow>
    /** Changes columns at a time (ISO 8601). */
    update(userId: number, columns: ProfileColumns, updatedAt: string): Effect.Effect<void>
    /** Suspends a user at a time (ISO 8601), or ends the suspension (`null`). A user who is already suspended keeps the earlier time. */
    setSuspended(userId: number, at: string | null): Effect.Effect<void>
    /** Deletes an account. What refers to it and stays has no author afterwards. */
    remove(userId: number): Effect.Effect<void>
    /** Returns the names of the repositories of an account, at most `limit`. */
    ownedRepositories(userId: number, limit: number): Effect.Effect<ReadonlyArray<string>>
    /** Returns the organizations of which a user is the only owner. */
    onlyOwnerOf(userId: number): Effect.Effect<ReadonlyArray<string>>
    /** Returns users and organizations with a larger id, by id. */
    after(id: number, limit: number): Effect.Effect<ReadonlyArray<UserRow>>
  }
>()("@tongs/service/features/users/ProfileRows") {
  static readonly layer = Layer.effect(
    ProfileRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      return ProfileRows.of({
        get: (userId) =>
          requireRow(
            one(sql`
              SELECT company, blog, location, bio, twitter_username, hireable, suspended_at,
                (SELECT count(*) FROM followers f WHERE f.user_id = u.id) AS followers,
                (SELECT count(*) FROM followers f WHERE f.follower_id = u.id) AS following
              FROM users u WHERE id = ${userId}`)
          ),
        update: (userId, columns, updated_at) =>
          Effect.andThen(
            run(sql`UPDATE users SET ${sql.update({ ...columns, updated_at })} WHERE id = ${userId}`),
            UserTexts.write(sql, userId)
          ),
        setSuspended: (userId, at) =>
          run(
            at === null
              ? sql`UPDATE users SET suspended_at = NULL WHERE id = ${userId}`
              : sql`UPDATE users SET suspended_at = ${at} WHERE id = ${userId} AND suspended_at IS NULL`
          ),
        remove: (userId) => run(sql`DELETE FROM users WHERE id = ${userId}`),
        ownedRepositories: (userId, limit) =>
          Effect.map(
            Effect.orDie(sql<{ name: string }>`
              SELECT name FROM repositories WHERE owner_id = ${userId} ORDER BY id LIMIT ${limit}`),
            (rows) => rows.map(({ name }) => name)
          ),
        onlyOwnerOf: (userId) =>
          Effect.map(
            Effect.orDie(sql<{ login: string }>`
              SELECT u.login FROM memberships m JOIN users u ON u.id = m.organization_id
              WHERE m.user_id = ${userId} AND m.role = 'owner' AND NOT EXISTS (
                SELECT 1 FROM memberships o
                WHERE o.organization_id = m.organization_id AND o.role = 'owner' AND o.user_id <> m.user_id)
              ORDER BY u.id`),
            (rows) => rows.map(({ login }) => login)
          ),
        after: (id, limit) => users(sql`SELECT * FROM users WHERE id > ${id} ORDER BY id LIMIT ${limit}`)
      })
    })
  )
}
