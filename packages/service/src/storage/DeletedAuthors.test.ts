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
import * as Sqlite from "./Sqlite.ts"

const tables = ["hooks", "deliveries", "ruleset_evaluations", "ref_changes", "project_views"]

const addHook = (sql: SqlClient.SqlClient) => sql`
  INSERT INTO hooks (repository_id, creator_id, active, events, url, content_type, insecure_ssl, created_at, updated_at)
  VALUES (1, 2, 1, '[]', 'https://bells.example', 'json', '0', '', '') RETURNING id`

/** Writes rows of a repository, an organization and a project, all created by account 2, which is not the owner. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all([accounts, events, hooks, rulesets, settings])
  yield* sql`INSERT INTO users (login, created_at, updated_at) VALUES ('owner', '', ''), ('leaver', '', '')`
  yield* sql`INSERT INTO repositories (owner_id, name, git, created_at, updated_at) VALUES (1, 'hello', 'x', '', '')`
  yield* addHook(sql)
  yield* addHook(sql)
  yield* sql`DELETE FROM hooks WHERE id = 2`
  yield* sql`INSERT INTO deliveries (hook_id, guid, event, payload) VALUES (1, 'g', 'push', '{}')`
  yield* sql`
    INSERT INTO rulesets (organization_id, name, target, enforcement, bypass_actors, rules, created_at, updated_at)
    VALUES (1, 'main', 'branch', 'active', '[]', '[]', '', '')`
  yield* sql`
    INSERT INTO ruleset_evaluations (ruleset_id, repository_id, actor_id, ref, result, violations, created_at)
    VALUES (1, 1, 2, 'refs/heads/main', 'fail', '[]', '')`
  yield* sql`
    INSERT INTO ref_changes (id, repository_id, actor_id, ref, api, html, process, begun_at)
    VALUES ('a', 1, 2, 'refs/heads/main', '', '', 1, 0)`
  yield* sql`INSERT INTO projects (owner_id, number) VALUES (1, 1)`
  yield* sql`INSERT INTO project_views (project_id, number, creator_id, value, created_at) VALUES (1, 1, 2, '{}', '')`
})

const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* fill
  const all = Effect.forEach(tables, (table) => sql`SELECT * FROM ${sql(table)}`)
  const before = yield* all
  yield* sql.withTransaction(deletedAuthors)
  assert.deepStrictEqual(yield* all, before)
  // No id of a deleted webhook is given again.
  assert.deepStrictEqual(yield* addHook(sql), [{ id: 3 }])
  yield* sql`DELETE FROM hooks WHERE id = 3`
  yield* sql`DELETE FROM users WHERE id = 2`
  const orphaned = before.map((rows) =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isAuthor(name) ? null : value]))
    )
  )
  assert.deepStrictEqual(yield* all, orphaned)
  yield* sql`DELETE FROM users WHERE id = 1`
  assert.deepStrictEqual((yield* all).flat(), [])
})

const isAuthor = (column: string) => column === "creator_id" || column === "actor_id"

it.effect("keeps what deleted accounts created for others, and deletes it with its owner", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "forge.db")
    yield* Effect.provide(check, Sqlite.layer({ filename }))
  })
)
