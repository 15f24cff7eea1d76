import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const rulesets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE rulesets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      target TEXT NOT NULL,
      enforcement TEXT NOT NULL,
      bypass_actors TEXT NOT NULL,
      conditions TEXT,
      rules TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (organization_id, name)
    ) STRICT`
  // Recorded results of rulesets for reference changes: evaluate mode, rejections and bypasses.
  yield* sql`
    CREATE TABLE ruleset_evaluations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      ruleset_id INTEGER NOT NULL REFERENCES rulesets (id) ON DELETE CASCADE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      actor_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      ref TEXT NOT NULL,
      before_oid TEXT,
      after_oid TEXT,
      result TEXT NOT NULL,
      violations TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX ruleset_evaluations_of_ruleset ON ruleset_evaluations (ruleset_id)`
  yield* sql`
    CREATE TABLE repository_properties (
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      "values" TEXT NOT NULL,
      PRIMARY KEY (repository_id, name)
    ) STRICT, WITHOUT ROWID`
})
