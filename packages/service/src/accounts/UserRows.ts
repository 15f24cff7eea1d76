/** Database rows of accounts. */
import * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as RevisionCache from "../storage/RevisionCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as UserTexts from "../storage/UserTexts.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import { timestamp } from "../base/Time.ts"
import * as NoReplyAddress from "./NoReplyAddress.ts"

export const UserRow = Schema.Struct({
  id: Schema.Int,
  login: Schema.String,
  type: Schema.String,
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  site_admin: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type UserRow = typeof UserRow.Type

/** SQL of the account in table `alias` as a JSON object, for a larger JSON value. */
export const accountObject = ({ jsonObject }: SqlFragments.SqlFragments, alias: string): string =>
  jsonObject(Object.fromEntries(Object.keys(UserRow.fields).map((name) => [name, `${alias}.${name}`])))

/** SQL of the account in table `alias` as JSON, for a column of `UserRow`. Null if a left join found no account. */
export const accountJson = (fragments: SqlFragments.SqlFragments, alias: string): string =>
  `CASE WHEN ${alias}.id IS NULL THEN NULL ELSE ${fragments.jsonText(accountObject(fragments, alias))} END`

export interface NewUser {
  readonly login: string
  readonly type?: "User" | "Organization" | "Bot" | "Mannequin"
  readonly name?: string | null
  readonly email?: string | null
  readonly siteAdmin?: boolean
}

const one = decodeFirstRow(UserRow)
const all = decodeRows(UserRow)

/** Maximum number of cached e-mail addresses. A commit log has many, and most belong to no account. */
const MAX_EMAILS = 10_000

export class UserRows extends Context.Service<
  UserRows,
  {
    byLogin(login: string): Effect.Effect<UserRow | undefined>
    /** Returns the accounts with these logins, whatever their case. */
    byLogins(logins: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<UserRow>>
    byId(id: number): Effect.Effect<UserRow | undefined>
    /** Returns the accounts with these ids that exist, by id. */
    byIds(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<UserRow>>
    /** Returns the user with this verified address, or with this no-reply address. */
    byEmail(email: string): Effect.Effect<UserRow | undefined>
    /**
     * Returns the account with a login. Creates a missing account, or updates name and e-mail address of an existing
     * one.
     */
    ensure(user: NewUser): Effect.Effect<UserRow>
  }
>()("@tongs/service/accounts/UserRows") {
  static readonly layer = Layer.effect(
    UserRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, hasOneOfNames, isOneOf, name } = SqlFragments.make(sql)
      // Addresses without an account are cached as null.
      const emails = RevisionCache.make<UserRow | null>(yield* StoreRevision, MAX_EMAILS)
      const ensure = Effect.fn("Users.ensure")(function* (user: NewUser) {
        const now = timestamp(yield* Clock.currentTimeMillis)
        const row = {
          login: user.login,
          type: user.type ?? "User",
          name: user.name ?? null,
          email: user.email ?? null,
          site_admin: user.siteAdmin === true ? 1 : 0,
          created_at: now,
          updated_at: now
        }
        const [changed] = yield* Effect.orDie(sql<{ readonly id: number }>`INSERT INTO users ${sql.insert(row)}
          ON CONFLICT (${name("login")}) DO UPDATE
          SET name = coalesce(excluded.name, users.name), email = coalesce(excluded.email, users.email)
          WHERE excluded.name IS NOT NULL OR excluded.email IS NOT NULL RETURNING id`)
        if (changed !== undefined) yield* UserTexts.write(sql, changed.id)
        const found = yield* requireRow(one(sql`SELECT * FROM users WHERE ${hasName("login", user.login)}`))
        if (row.email !== null && found.type === "User") yield* setPrimary(found.id, row.email)
        return found
      })
      /** Makes an address the primary one. The account is known to own it. */
      const setPrimary = (userId: number, email: string) =>
        Effect.orDie(
          Effect.andThen(
            sql`UPDATE user_emails SET is_primary = 0 WHERE user_id = ${userId}`,
            sql`
              INSERT INTO user_emails (user_id, email, verified, is_primary) VALUES (${userId}, ${email}, 1, 1)
              ON CONFLICT (${name("email")}, user_id) DO UPDATE SET is_primary = 1`
          )
        )
      const readByEmail = (email: string) => {
        const named = NoReplyAddress.parse(email)
        return one(
          named === undefined
            ? sql`
                SELECT u.* FROM user_emails e JOIN users u ON u.id = e.user_id
                WHERE ${hasName("e.email", email)} AND e.verified = 1 ORDER BY e.is_primary DESC, u.id LIMIT 1`
            : sql`SELECT * FROM users WHERE id = ${named.id} AND ${hasName("login", named.login)}`
        )
      }
      return UserRows.of({
        byLogin: (login) => one(sql`SELECT * FROM users WHERE ${hasName("login", login)}`),
        byLogins: (logins) =>
          logins.length === 0
            ? Effect.succeed([])
            : all(sql`SELECT * FROM users WHERE ${hasOneOfNames("login", logins)} ORDER BY id`),
        byId: (id) => one(sql`SELECT * FROM users WHERE id = ${id}`),
        byIds: (ids) => all(sql`SELECT * FROM users WHERE ${isOneOf("id", ids)} ORDER BY id`),
        byEmail: (email) => {
          const cached = emails.get(
            email,
            Effect.map(readByEmail(email), (row) => row ?? null)
          )
          return Effect.map(cached, (row) => row ?? undefined)
        },
        ensure
      })
    })
  )
}
