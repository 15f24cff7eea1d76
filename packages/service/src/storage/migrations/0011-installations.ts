import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const installations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Stores only the SHA-256 of a client secret.
  yield* sql`
    CREATE TABLE apps (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      slug TEXT NOT NULL COLLATE NOCASE UNIQUE,
      owner_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
      client_id TEXT UNIQUE,
      client_secret TEXT
    ) STRICT`
  yield* sql`
    CREATE TABLE installations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      permissions TEXT NOT NULL DEFAULT '{}',
      events TEXT NOT NULL DEFAULT '[]',
      selection TEXT NOT NULL DEFAULT 'all',
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  yield* sql`
    CREATE TABLE installation_repositories (
      installation_id INTEGER NOT NULL REFERENCES installations (id) ON DELETE CASCADE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      PRIMARY KEY (installation_id, repository_id)
    ) STRICT, WITHOUT ROWID`
  // Adds to tokens an opaque number that is never reused, and the installation or repositories that limit the token.
  yield* sql`
    CREATE TABLE tokens_with_reach (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      hash TEXT NOT NULL UNIQUE,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      scopes TEXT NOT NULL DEFAULT '[]',
      permissions TEXT NOT NULL DEFAULT '{}',
      installation_id INTEGER REFERENCES installations (id) ON DELETE CASCADE,
      repositories TEXT,
      expires_at TEXT,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`
    INSERT INTO tokens_with_reach (hash, user_id, kind, scopes, permissions, expires_at, created_at)
    SELECT hash, user_id, kind, scopes, permissions, expires_at, created_at FROM tokens ORDER BY rowid`
  yield* sql`DROP TABLE tokens`
  yield* sql`ALTER TABLE tokens_with_reach RENAME TO tokens`
})
