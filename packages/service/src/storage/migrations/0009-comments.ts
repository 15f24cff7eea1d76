import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const comments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Comments remain when the account of their author is deleted.
  yield* sql`
    CREATE TABLE commit_comments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      commit_id TEXT NOT NULL,
      path TEXT,
      position INTEGER,
      line INTEGER,
      body TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX commit_comments_of_repository ON commit_comments (repository_id)`
  yield* sql`
    CREATE TABLE review_comments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
      pull_number INTEGER NOT NULL,
      review_id INTEGER,
      in_reply_to_id INTEGER,
      commit_id TEXT NOT NULL,
      original_commit_id TEXT NOT NULL,
      path TEXT NOT NULL,
      diff_hunk TEXT NOT NULL,
      place TEXT NOT NULL,
      body TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX review_comments_by_creation ON review_comments (repository_id, created_at)`
  yield* sql`CREATE INDEX review_comments_by_update ON review_comments (repository_id, updated_at)`
})
