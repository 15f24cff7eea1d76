import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import { accounts } from "./migrations/0001-accounts.ts"
import { events } from "./migrations/0003-events.ts"
import { deletedActors } from "./migrations/0024-deleted-actors.ts"
import * as Sqlite from "./Sqlite.ts"

const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* accounts
  yield* events
  const at = "2026-01-01T00:00:00Z"
  yield* sql`INSERT INTO users (login, created_at, updated_at) VALUES ('owner', ${at}, ${at}), ('leaver', ${at}, ${at})`
  yield* sql`
    INSERT INTO repositories (owner_id, name, git, created_at, updated_at) VALUES (1, 'hello', 'x', ${at}, ${at})`
  const add = sql`
    INSERT INTO events (type, actor_id, repository_id, public, payload, created_at)
    VALUES ('PushEvent', 2, 1, 1, '{}', ${at}) RETURNING id`
  for (let index = 0; index < 3; index++) yield* add
  yield* sql`DELETE FROM events WHERE id > 1`
  const before = yield* sql`SELECT * FROM events`
  yield* sql.withTransaction(deletedActors)
  assert.deepStrictEqual(yield* sql`SELECT * FROM events`, before)
  assert.deepStrictEqual(yield* add, [{ id: 4 }])
  yield* sql`DELETE FROM users WHERE id = 2`
  assert.deepStrictEqual(yield* sql`SELECT id, actor_id FROM events ORDER BY id`, [
    { id: 1, actor_id: null },
    { id: 4, actor_id: null }
  ])
})

it.effect("keeps the events of deleted accounts, and gives no id of a deleted event again", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "forge.db")
    yield* Effect.provide(check, Sqlite.layer({ filename }))
  })
)
