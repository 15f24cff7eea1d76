import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const settings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // One value per setting and owner (organization, enterprise or repository). A setting without a row has its default.
  yield* sql`
    CREATE TABLE settings (
      subject TEXT NOT NULL,
      subject_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (subject, subject_id, name)
    ) STRICT, WITHOUT ROWID`
  yield* sql`
    CREATE TABLE projects (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      fields TEXT NOT NULL DEFAULT '[]',
      UNIQUE (owner_id, number)
    ) STRICT`
  yield* sql`
    CREATE TABLE project_views (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      creator_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      value TEXT NOT NULL,
      created_at TEXT NOT NULL,
      UNIQUE (project_id, number)
    ) STRICT`
  yield* sql`
    CREATE TABLE billing_usage (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      date TEXT NOT NULL,
      value TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX billing_usage_by_date ON billing_usage (organization_id, date)`
})
