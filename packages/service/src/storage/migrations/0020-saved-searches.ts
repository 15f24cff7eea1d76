import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const savedSearches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `seen` are digests of the results that the user has seen, `is_exact` is 0 if they were not complete.
  yield* sql`
    CREATE TABLE saved_searches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      query TEXT NOT NULL,
      seen BLOB NOT NULL,
      is_exact INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      UNIQUE (user_id, name)
    ) STRICT`
})
