import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      login TEXT NOT NULL COLLATE NOCASE UNIQUE,
      type TEXT NOT NULL DEFAULT 'User',
      name TEXT,
      email TEXT COLLATE NOCASE,
      site_admin INTEGER NOT NULL DEFAULT 0,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`
  // Stores only the SHA-256 of each token, so that nobody can sign in with a copy of the database.
  yield* sql`
    CREATE TABLE tokens (
      hash TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      scopes TEXT NOT NULL DEFAULT '[]',
      permissions TEXT NOT NULL DEFAULT '{}',
      expires_at TEXT,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`
    CREATE TABLE repositories (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      git TEXT NOT NULL UNIQUE,
      description TEXT,
      homepage TEXT,
      private INTEGER NOT NULL DEFAULT 0,
      archived INTEGER NOT NULL DEFAULT 0,
      topics TEXT NOT NULL DEFAULT '[]',
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (owner_id, name)
    ) STRICT`
})
