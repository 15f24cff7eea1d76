import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const milestones = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A milestone remains when the account of its creator is deleted.
  yield* sql`
    CREATE TABLE milestones (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      title TEXT NOT NULL,
      description TEXT,
      due_on TEXT,
      closed_at TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (repository_id, number),
      UNIQUE (repository_id, title)
    ) STRICT`
  // The last number of each repository, so that a deleted milestone's number is not given again.
  yield* sql`
    CREATE TABLE milestone_numbers (
      repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
      last INTEGER NOT NULL
    ) STRICT`
})
