import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TableDefinitions from "../TableDefinitions.ts"

// Rulesets belong to an organization or to a repository. The new table gets the rows of the former one.
const TABLES = `ALTER TABLE rulesets RENAME TO former_rulesets

CREATE TABLE rulesets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  target TEXT NOT NULL,
  enforcement TEXT NOT NULL,
  bypass_actors TEXT NOT NULL,
  conditions TEXT,
  rules TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (organization_id, name),
  UNIQUE (repository_id, name)
) STRICT

INSERT INTO rulesets (id, organization_id, name, target, enforcement, bypass_actors, conditions, rules, created_at, updated_at)
SELECT id, organization_id, name, target, enforcement, bypass_actors, conditions, rules, created_at, updated_at
FROM former_rulesets

CREATE TABLE ruleset_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ruleset_id INTEGER NOT NULL REFERENCES rulesets (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  state TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX ruleset_versions_by_ruleset ON ruleset_versions (ruleset_id, id)

CREATE INDEX ruleset_versions_by_actor ON ruleset_versions (actor_id)

CREATE TABLE rule_suites (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  ref TEXT NOT NULL,
  before_oid TEXT,
  after_oid TEXT,
  result TEXT NOT NULL,
  evaluation_result TEXT,
  evaluations TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX rule_suites_by_repository ON rule_suites (repository_id, id)

CREATE INDEX rule_suites_by_actor ON rule_suites (actor_id)

CREATE TABLE branch_protections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  branch TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, branch)
) STRICT

ALTER TABLE pull_requests ADD COLUMN head_pusher_id INTEGER REFERENCES users (id) ON DELETE SET NULL`

const DROPS = `DROP TABLE ruleset_evaluations

DROP TABLE former_rulesets`

interface Evaluation {
  readonly id: number
  readonly repository_id: number
  readonly actor_id: number | null
  readonly ref: string
  readonly before_oid: string | null
  readonly after_oid: string | null
  readonly result: string
  readonly violations: string
  readonly created_at: string
  readonly ruleset_id: number
  readonly name: string
  readonly enforcement: string
}

/** The violations of a former evaluation as evaluations of rules. */
const evaluationsOf = ({ enforcement, name, ruleset_id: id, violations }: Evaluation) =>
  JSON.stringify(
    JSON.parse(violations).map(({ message, rule }: { readonly message: string; readonly rule: string }) => ({
      source: { type: "ruleset", id, name },
      enforcement: enforcement === "evaluate" ? "evaluate" : "active",
      result: "fail",
      rule,
      message
    }))
  )

export const rules = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TableDefinitions.run(TABLES)
  const former = yield* sql<Evaluation>`
    SELECT e.*, r.name, r.enforcement FROM ruleset_evaluations e JOIN former_rulesets r ON r.id = e.ruleset_id
    ORDER BY e.id`
  for (const one of former) {
    const { actor_id, after_oid, before_oid, created_at, ref, repository_id, result } = one
    const isEvaluation = one.enforcement === "evaluate"
    const row = {
      repository_id,
      actor_id,
      ref,
      before_oid,
      after_oid,
      result: isEvaluation ? "pass" : result,
      evaluation_result: isEvaluation ? result : null,
      evaluations: evaluationsOf(one),
      created_at
    }
    yield* sql`INSERT INTO rule_suites ${sql.insert(row)}`
  }
  yield* TableDefinitions.run(DROPS)
  yield* sql.onDialectOrElse({
    pg: () => sql`SELECT setval(pg_get_serial_sequence('rulesets', 'id'), greatest(1, max(id))) FROM rulesets`,
    orElse: () => Effect.void
  })
})
