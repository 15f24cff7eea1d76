import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import { accounts } from "./migrations/0001-accounts.ts"
import { events } from "./migrations/0003-events.ts"
import { hooks } from "./migrations/0004-hooks.ts"
import { rulesets } from "./migrations/0006-rulesets.ts"
import { settings } from "./migrations/0008-settings.ts"
import { deletedAuthors } from "./migrations/0025-deleted-authors.ts"
import { rules } from "./migrations/0048-rules.ts"
import * as Sqlite from "./Sqlite.ts"

const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all([accounts, events, hooks, rulesets, settings, deletedAuthors])
  yield* sql`INSERT INTO users (login, created_at, updated_at) VALUES ('acme', '', ''), ('mia', '', '')`
  yield* sql`INSERT INTO repositories (owner_id, name, git, created_at, updated_at) VALUES (1, 'hello', 'x', '', '')`
  const conditions = JSON.stringify({ ref_name: { include: ["~ALL"] } })
  yield* sql`
    INSERT INTO rulesets (id, organization_id, name, target, enforcement, bypass_actors, conditions, rules, created_at, updated_at)
    VALUES (7, 1, 'main', 'branch', 'active', '[]', ${conditions}, '[]', 'a', 'b'),
      (8, 1, 'trial', 'branch', 'evaluate', '[]', NULL, '[]', '', '')`
  yield* sql`CREATE TABLE pull_requests (issue_id INTEGER)`
  const before = yield* sql`SELECT * FROM rulesets ORDER BY id`
  const violations = JSON.stringify([{ rule: "creation", message: "no" }])
  yield* sql`
    INSERT INTO ruleset_evaluations (ruleset_id, repository_id, actor_id, ref, after_oid, result, violations, created_at)
    VALUES (7, 1, 2, 'refs/heads/a', 'abc', 'fail', ${violations}, 'now'),
      (8, 1, 2, 'refs/heads/b', 'abc', 'pass', '[]', 'now')`
  yield* sql.withTransaction(rules)
  assert.deepStrictEqual(
    yield* sql`SELECT * FROM rulesets ORDER BY id`,
    before.map((row) => ({ ...row, repository_id: null }))
  )
  const suites = yield* sql`SELECT * FROM rule_suites ORDER BY id`
  assert.deepInclude(suites[0], { actor_id: 2, result: "fail", evaluation_result: null, after_oid: "abc" })
  assert.deepStrictEqual(JSON.parse(String(suites[0]?.["evaluations"])), [
    {
      source: { type: "ruleset", id: 7, name: "main" },
      enforcement: "active",
      result: "fail",
      rule: "creation",
      message: "no"
    }
  ])
  assert.deepInclude(suites[1], { result: "pass", evaluation_result: "pass", evaluations: "[]" })
  const added = yield* sql`
    INSERT INTO rulesets (repository_id, name, target, enforcement, bypass_actors, rules, created_at, updated_at)
    VALUES (1, 'main', 'branch', 'active', '[]', '[]', '', '') RETURNING id`
  assert.deepStrictEqual(added, [{ id: 9 }])
  yield* sql`DELETE FROM users WHERE id = 1`
  for (const table of ["rulesets", "rule_suites"]) assert.deepStrictEqual(yield* sql`SELECT * FROM ${sql(table)}`, [])
})

it.effect("keeps the rulesets of organizations and their evaluations", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "forge.db")
    yield* Effect.provide(check, Sqlite.layer({ filename }))
  })
)
