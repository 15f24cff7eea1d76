import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const deletedActors = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // An event remains when the account of its actor is deleted. SQLite changes a foreign key only with the table.
  yield* sql`
    CREATE TABLE events_with_deleted_actors (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL,
      actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      public INTEGER NOT NULL,
      payload TEXT NOT NULL,
      change TEXT UNIQUE,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`
    INSERT INTO events_with_deleted_actors (id, type, actor_id, repository_id, public, payload, change, created_at)
    SELECT id, type, actor_id, repository_id, public, payload, change, created_at FROM events ORDER BY id`
  // Keeps the counter of ids, which can be above the last event's id, so that no id of a deleted event is given again.
  yield* sql`DELETE FROM sqlite_sequence WHERE name = 'events_with_deleted_actors'`
  yield* sql`
    INSERT INTO sqlite_sequence (name, seq)
    SELECT 'events_with_deleted_actors', seq FROM sqlite_sequence WHERE name = 'events'`
  yield* sql`DROP TABLE events`
  yield* sql`ALTER TABLE events_with_deleted_actors RENAME TO events`
  yield* sql`CREATE INDEX events_by_repository ON events (repository_id, id)`
  yield* sql`CREATE INDEX events_by_actor ON events (actor_id, id)`
})
