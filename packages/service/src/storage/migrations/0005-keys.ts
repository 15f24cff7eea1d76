import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const keys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Each key belongs to one account. All encodings of a key have the same fingerprint.
  yield* sql`
    CREATE TABLE ssh_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL UNIQUE,
      verified INTEGER NOT NULL,
      read_only INTEGER NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX ssh_keys_of_user ON ssh_keys (user_id)`
  yield* sql`
    CREATE TABLE pgp_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      fingerprint TEXT NOT NULL UNIQUE,
      armored TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`
  // Ids of each PGP key and its subkeys; a signature names one of these ids.
  yield* sql`
    CREATE TABLE pgp_key_ids (
      key_id TEXT NOT NULL,
      pgp_key INTEGER NOT NULL REFERENCES pgp_keys (id) ON DELETE CASCADE,
      PRIMARY KEY (key_id, pgp_key)
    ) STRICT, WITHOUT ROWID`
  // Additional e-mail addresses of accounts, and whether they are verified.
  yield* sql`
    CREATE TABLE user_emails (
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      email TEXT NOT NULL COLLATE NOCASE,
      verified INTEGER NOT NULL,
      PRIMARY KEY (email, user_id)
    ) STRICT, WITHOUT ROWID`

  // Incremented by every change that can affect the verification of a signature.
  yield* sql`CREATE TABLE key_registry (revision INTEGER NOT NULL) STRICT`
  yield* sql`INSERT INTO key_registry VALUES (0)`
  for (const table of ["ssh_keys", "pgp_keys", "user_emails", "users"]) {
    for (const event of ["INSERT", "UPDATE", "DELETE"]) {
      yield* sql.unsafe(`
        CREATE TRIGGER ${table}_${event} AFTER ${event} ON ${table}
        BEGIN UPDATE key_registry SET revision = revision + 1; END`)
    }
  }
})
