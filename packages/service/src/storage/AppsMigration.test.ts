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
import { installations } from "./migrations/0011-installations.ts"
import { breakers } from "./migrations/0017-breakers.ts"
import { deletedAuthors } from "./migrations/0025-deleted-authors.ts"
import { apps } from "./migrations/0054-apps.ts"
import * as Sqlite from "./Sqlite.ts"

const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.all([accounts, events, hooks, rulesets, settings, installations, breakers, deletedAuthors])
  yield* sql`INSERT INTO users (login, created_at, updated_at) VALUES ('acme', '', '')`
  yield* sql`INSERT INTO repositories (owner_id, name, git, created_at, updated_at) VALUES (1, 'hello', 'x', '', '')`
  yield* sql`
    INSERT INTO hooks (id, repository_id, active, events, url, content_type, insecure_ssl, created_at, updated_at)
    VALUES (7, 1, 1, '["push"]', 'https://example.com', 'json', '0', 'a', 'b')`
  yield* sql`INSERT INTO deliveries (id, hook_id, guid, event, payload) VALUES (5, 7, 'g', 'push', '{}')`
  yield* sql`
    INSERT INTO repository_properties (repository_id, name, "values")
    VALUES (1, 'tier', '["gold"]'), (1, 'langs', '["go","js"]')`
  const before = yield* sql`SELECT * FROM hooks`
  const deliveries = yield* sql`SELECT * FROM deliveries`
  yield* sql.withTransaction(apps)
  assert.deepStrictEqual(
    yield* sql`SELECT * FROM hooks`,
    before.map((row) => ({ ...row, app_id: null }))
  )
  assert.deepStrictEqual(
    yield* sql`SELECT * FROM deliveries`,
    deliveries.map((row) => ({ ...row, installation_id: null }))
  )
  assert.deepStrictEqual(yield* sql`SELECT name, "values" FROM repository_property_values ORDER BY name`, [
    { name: "langs", values: '["go","js"]' },
    { name: "tier", values: '"gold"' }
  ])
  assert.deepStrictEqual(yield* sql`PRAGMA foreign_key_check`, [])
  yield* sql`DELETE FROM repositories`
  assert.deepStrictEqual(yield* sql`SELECT id FROM deliveries`, [])
})

it.effect("keeps webhooks with their deliveries, and values of custom properties", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "forge.db")
    yield* Effect.provide(check, Sqlite.layer({ filename }))
  })
)
