import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const blocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE blocks (
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      blocked_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      PRIMARY KEY (user_id, blocked_id)
    ) STRICT, WITHOUT ROWID`
})
