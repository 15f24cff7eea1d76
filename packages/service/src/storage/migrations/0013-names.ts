import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const names = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Former names of repositories, which redirect until another repository takes the name.
  yield* sql`
    CREATE TABLE former_names (
      owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      PRIMARY KEY (owner_id, name)
    ) STRICT, WITHOUT ROWID`
})
