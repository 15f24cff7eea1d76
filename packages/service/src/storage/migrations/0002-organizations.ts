import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const organizations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE enterprises (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      slug TEXT NOT NULL COLLATE NOCASE UNIQUE
    ) STRICT`
  yield* sql`
    CREATE TABLE enterprise_admins (
      enterprise_id INTEGER NOT NULL REFERENCES enterprises (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      PRIMARY KEY (enterprise_id, user_id)
    ) STRICT, WITHOUT ROWID`
  // Additional columns of accounts of type Organization.
  yield* sql`
    CREATE TABLE organizations (
      user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      plan TEXT NOT NULL DEFAULT 'free',
      enterprise_id INTEGER REFERENCES enterprises (id) ON DELETE SET NULL
    ) STRICT`
  yield* sql`
    CREATE TABLE memberships (
      organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    ) STRICT, WITHOUT ROWID`
  yield* sql`
    CREATE TABLE collaborators (
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      permission TEXT NOT NULL,
      PRIMARY KEY (repository_id, user_id)
    ) STRICT, WITHOUT ROWID`
})
