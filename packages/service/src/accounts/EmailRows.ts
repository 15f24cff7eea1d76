/** Database rows of the email addresses of users, which attribute commits and verify signatures. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as UserTexts from "../storage/UserTexts.ts"
import * as NoReplyAddress from "./NoReplyAddress.ts"

/** An address of a user. `verified` and `is_primary` are 0 or 1. */
export const EmailRow = Schema.Struct({
  user_id: Schema.Int,
  email: Schema.String,
  verified: Schema.Int,
  is_primary: Schema.Int
})
export type EmailRow = typeof EmailRow.Type

/** A user who claims an address. */
export type EmailHolder = Pick<EmailRow, "user_id" | "verified">

const emails = decodeRows(EmailRow)
const holders = decodeRows(Schema.Struct({ user_id: Schema.Int, verified: Schema.Int }))

/** Reads and writes email addresses. */
export class EmailRows extends Context.Service<
  EmailRows,
  {
    /** Returns the addresses of a user, the primary first. */
    ofUser(userId: number): Effect.Effect<ReadonlyArray<EmailRow>>
    /** Adds an address, or updates the verification of an existing one. */
    set(userId: number, email: string, verified: boolean): Effect.Effect<void>
    /** Removes an address, also from the profile. */
    remove(userId: number, email: string): Effect.Effect<void>
    /** Sets the address in the profile, which signed-in callers see. */
    setPublic(userId: number, email: string | null): Effect.Effect<void>
    /** Returns the users who claim an address, those who have verified it first. */
    holders(email: string): Effect.Effect<ReadonlyArray<EmailHolder>>
  }
>()("@tongs/service/accounts/EmailRows") {
  static readonly layer = Layer.effect(
    EmailRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, name } = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      return EmailRows.of({
        ofUser: (userId) =>
          emails(sql`
            SELECT user_id, email, verified, is_primary FROM user_emails WHERE user_id = ${userId}
            ORDER BY is_primary DESC, email`),
        set: (userId, email, verified) =>
          run(sql`
            INSERT INTO user_emails (user_id, email, verified) VALUES (${userId}, ${email}, ${verified ? 1 : 0})
            ON CONFLICT (${name("email")}, user_id) DO UPDATE SET verified = excluded.verified`),
        remove: (userId, email) =>
          run(
            Effect.all([
              sql`DELETE FROM user_emails WHERE user_id = ${userId} AND ${hasName("email", email)}`,
              sql`UPDATE users SET email = NULL WHERE id = ${userId} AND ${hasName("email", email)}`,
              UserTexts.write(sql, userId)
            ])
          ),
        setPublic: (userId, email) =>
          Effect.andThen(
            run(sql`UPDATE users SET email = ${email} WHERE id = ${userId}`),
            UserTexts.write(sql, userId)
          ),
        holders: (email) => {
          const named = NoReplyAddress.parse(email)
          return named === undefined
            ? holders(sql`
                SELECT user_id, verified FROM user_emails WHERE ${hasName("email", email)}
                ORDER BY verified DESC, user_id`)
            : holders(sql`
                SELECT id AS user_id, 1 AS verified FROM users
                WHERE id = ${named.id} AND ${hasName("login", named.login)}`)
        }
      })
    })
  )
}
