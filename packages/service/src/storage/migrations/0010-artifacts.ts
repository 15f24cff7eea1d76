import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const artifacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The archive of an artifact is a file named by its digest; artifacts with equal content share it.
  yield* sql`
    CREATE TABLE artifacts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      digest TEXT NOT NULL,
      size_in_bytes INTEGER NOT NULL,
      run_id INTEGER,
      head_repository_id INTEGER,
      head_branch TEXT,
      head_sha TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX artifacts_of_repository ON artifacts (repository_id, created_at)`
  yield* sql`CREATE UNIQUE INDEX artifacts_of_run ON artifacts (repository_id, run_id, name) WHERE run_id IS NOT NULL`
  yield* sql`CREATE INDEX artifacts_by_digest ON artifacts (digest)`
})
