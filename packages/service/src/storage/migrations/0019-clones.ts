import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const clones = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Ids of repositories are unique only within their forge, which its base URL identifies.
  yield* sql`
    CREATE TABLE clones (
      repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
      forge TEXT NOT NULL,
      remote_id INTEGER NOT NULL,
      pushed_at TEXT,
      UNIQUE (forge, remote_id)
    ) STRICT`
})
