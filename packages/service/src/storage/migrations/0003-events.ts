import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const events = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `change` identifies the cause of an event, for example the change of a reference. It is unique.
  yield* sql`
    CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL,
      actor_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      public INTEGER NOT NULL,
      payload TEXT NOT NULL,
      change TEXT UNIQUE,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX events_by_repository ON events (repository_id, id)`
  yield* sql`CREATE INDEX events_by_actor ON events (actor_id, id)`
  // Reference changes in progress, still without an event. `before` is null for a creation, `after` for a deletion.
  yield* sql`
    CREATE TABLE ref_changes (
      id TEXT PRIMARY KEY,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      actor_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      ref TEXT NOT NULL,
      before TEXT,
      after TEXT,
      api TEXT NOT NULL,
      html TEXT NOT NULL,
      process INTEGER NOT NULL,
      begun_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`
})
