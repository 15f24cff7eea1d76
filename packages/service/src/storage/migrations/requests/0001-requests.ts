import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const requests = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // One row per minute for each kind of request. Times are epoch seconds.
  yield* sql`
    CREATE TABLE requests (
      organization_id INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      actor_type TEXT NOT NULL,
      actor_id INTEGER NOT NULL,
      method TEXT NOT NULL,
      route TEXT NOT NULL,
      user_id INTEGER,
      subject_type TEXT NOT NULL,
      subject_id INTEGER NOT NULL,
      subject_name TEXT NOT NULL,
      total INTEGER NOT NULL,
      limited INTEGER NOT NULL,
      last_request INTEGER NOT NULL,
      last_limited INTEGER,
      PRIMARY KEY (organization_id, minute, actor_type, actor_id, method, route)
    ) STRICT, WITHOUT ROWID`
  yield* sql`CREATE INDEX requests_by_minute ON requests (minute)`
})
