/**
 * The words of profiles, for the search for users. Whatever writes the login, name, public email address or location of an
 * account writes its words in the same statement order; deleting an account deletes them.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Words from "../base/Words.ts"

/** The columns of an account with words. */
export const places = ["login", "name", "email", "location"] as const // literal types

interface Profile extends Readonly<Record<(typeof places)[number], string | null>> {
  readonly id: number
}

/** Returns the rows of `user_texts` of an account. */
const rowsOf = (profile: Profile): ReadonlyArray<Record<string, unknown>> =>
  places.flatMap((place) => {
    const words = Words.joined(profile[place])
    return words.trim() === "" ? [] : [{ user_id: profile.id, place, words }]
  })

/** Replaces the stored words of an account. */
export const write = (sql: SqlClient.SqlClient, userId: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const profiles = yield* sql<Profile>`SELECT id, login, name, email, location FROM users WHERE id = ${userId}`
    yield* sql`DELETE FROM user_texts WHERE user_id = ${userId}`
    const rows = profiles.flatMap(rowsOf)
    if (Arr.isReadonlyArrayNonEmpty(rows)) yield* sql`INSERT INTO user_texts ${sql.insert(rows)} ON CONFLICT DO NOTHING`
  }).pipe(sql.withTransaction, Effect.orDie)

/** Number of accounts whose words one statement writes. */
const BATCH = 200

/** Writes the words of all accounts, for the migration that creates the table. */
export const fill = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const profiles = yield* sql<Profile>`SELECT id, login, name, email, location FROM users ORDER BY id`
  for (let at = 0; at < profiles.length; at += BATCH) {
    const rows = profiles.slice(at, at + BATCH).flatMap(rowsOf)
    if (Arr.isReadonlyArrayNonEmpty(rows)) yield* sql`INSERT INTO user_texts ${sql.insert(rows)}`
  }
})
