import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRows } from "../../accounts/UserRows.ts"
import { folder } from "../../git/Fixture.test-support.ts"
import * as Storage from "../../main/Storage.ts"
import * as TestDatabase from "../TestDatabase.test-support.ts"
import * as Backup from "./Backup.ts"
import * as PostgresStore from "./PostgresStore.ts"
import * as StoreCopy from "./StoreCopy.ts"

/** A data folder with rows in SQLite, and an empty PostgreSQL database. */
const prepared = Effect.gen(function* () {
  const data = yield* folder
  yield* Effect.scoped(
    Effect.gen(function* () {
      const context = yield* Layer.build(Layer.fresh(Storage.layer(data)))
      const users = Context.get(context, UserRows)
      for (const login of ["anna", "Bert", "c-3po", "émile"]) yield* users.ensure({ login, name: `${login} 🙂` })
      const sql = Context.get(context, SqlClient.SqlClient)
      yield* sql`INSERT INTO repositories (owner_id, name, git, created_at, updated_at) VALUES (1, 'hello', 'x', '', '')`
      yield* sql`
        WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2999)
        INSERT INTO events (type, actor_id, repository_id, public, payload, created_at)
        SELECT 'PushEvent', n % 4 + 1, 1, 1, json_object('index', n), '2026-01-01T00:00:00Z' FROM numbers`
      yield* sql`DELETE FROM events WHERE id > 2990`
      yield* sql`INSERT INTO user_emails (user_id, email, verified) VALUES (1, 'Z@example.org', 1), (2, 'a@example.org', 0)`
      yield* sql`
        INSERT INTO saved_searches (user_id, name, query, seen, is_exact, created_at, seen_at)
        VALUES (1, 'all', 'x', ${new Uint8Array([0, 255, 10])}, 1, '', '')`
      yield* sql`
        INSERT INTO hooks (repository_id, active, events, url, content_type, insecure_ssl, created_at, updated_at)
        VALUES (1, 1, '[]', '', 'json', '0', '', '')`
      yield* sql`
        INSERT INTO deliveries (hook_id, guid, event, payload, duration) VALUES (1, 'g', 'push', '{}', 0.25)`
    })
  )
  const database = yield* TestDatabase.databaseOf(data)
  if (database === undefined) return assert.fail("no PostgreSQL")
  return { data, sqlite: join(data, "forge.db"), postgres: database }
})

type Options = Omit<Parameters<typeof StoreCopy.run>[0], "onProgress">

const copy = (options: Options, steps: Array<StoreCopy.Progress> = []) =>
  StoreCopy.run({ ...options, onProgress: (progress) => steps.push(progress) })

/** All rows of a SQLite database by table, in the order of their first two columns. */
const dump = (file: string): Record<string, ReadonlyArray<unknown>> => {
  const database = new DatabaseSync(file, { readOnly: true })
  const textOf = (row: Record<string, unknown>) => JSON.stringify(Object.values(row).slice(0, 2))
  const all = (name: string) =>
    database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .toSorted((a, b) => textOf(a).localeCompare(textOf(b), "en", { numeric: true }))
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'effect_sql_migrations' ORDER BY name")
    .all()
  const rows = tables.map(({ name }) => [String(name), all(String(name))] as const) // a pair
  database.close()
  return Object.fromEntries(rows)
}

describe.skipIf(!TestDatabase.isPostgres)("a copy of the store", () => {
  it.effect("is equal there and back, with the numbers of its sequences", () =>
    Effect.gen(function* () {
      const { data, postgres, sqlite } = yield* prepared
      const before = dump(sqlite)
      const steps: Array<StoreCopy.Progress> = []
      const result = yield* copy({ sqlite, postgres, direction: "toPostgres" }, steps)
      assert.isAbove(result.rows, 2_990)
      assert.isFalse(result.isOutdated)
      assert.deepInclude(steps.at(-1), { step: "comparing", done: result.rows, total: result.rows })
      const [row] = yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Layer.build(Layer.fresh(Storage.layer(data, postgres)))
          const users = Context.get(context, UserRows)
          assert.strictEqual((yield* users.byLogin("BERT"))?.name, "Bert 🙂")
          const sql = Context.get(context, SqlClient.SqlClient)
          return yield* sql<{ id: number }>`
            INSERT INTO events (type, repository_id, public, payload, created_at) VALUES ('PushEvent', 1, 1, '{}', '')
            RETURNING id`
        })
      )
      assert.strictEqual(row?.id, 3_001)
      const other = join(data, "back/forge.db")
      yield* copy({ sqlite: other, postgres, direction: "toSqlite" })
      const after = dump(other)
      assert.deepStrictEqual(after["events"]?.slice(0, -1), before["events"])
      const { events: ownEvents = [], sqlite_sequence: ownNumbers = [], ...own } = before
      const { events = [], sqlite_sequence: numbers = [], ...others } = after
      assert.deepStrictEqual(others, own)
      assert.includeDeepMembers([...numbers], [{ name: "events", seq: 3_001 }])
      assert.strictEqual(events.length, ownEvents.length + 1)
      assert.strictEqual(ownNumbers.length, numbers.length)
      assert.isFalse(existsSync(join(data, "back/database")))
    })
  )

  it.effect("goes on after an interruption, also with changes of the source", () =>
    Effect.gen(function* () {
      const { data, postgres, sqlite } = yield* prepared
      const stopped = yield* Effect.exit(
        StoreCopy.run({
          sqlite,
          postgres,
          direction: "toPostgres",
          onProgress: ({ done, table }) => {
            if (table === "events" && done > 2_000) throw new Error("stopped")
          }
        })
      )
      assert.strictEqual(stopped._tag, "Failure")
      assert.isFalse(existsSync(join(data, "database")))
      const source = new DatabaseSync(sqlite)
      source.exec("UPDATE users SET name = 'changed' WHERE id = 1; DELETE FROM users WHERE id = 4")
      source.exec("DELETE FROM events WHERE id = 5")
      source.close()
      yield* copy({ sqlite, postgres, direction: "toPostgres" })
      assert.match(readFileSync(join(data, "database"), "utf8"), /^postgres:\/\/[^@]+\n$/)
      const other = join(data, "back/forge.db")
      yield* copy({ sqlite: other, postgres, direction: "toSqlite" })
      const { key_registry: _, sqlite_sequence: _numbers, ...own } = dump(sqlite)
      const { key_registry: _keys, sqlite_sequence: _others, ...copied } = dump(other)
      assert.deepStrictEqual(copied, own)
    })
  )

  it.effect("refuses to replace rows that are in use", () =>
    Effect.gen(function* () {
      const { data, postgres, sqlite } = yield* prepared
      const toSqlite = { sqlite, postgres, direction: "toSqlite" } as const // the direction stays a literal
      const toPostgres = { sqlite, postgres, direction: "toPostgres" } as const
      assert.include((yield* Effect.flip(copy(toSqlite))).message, "which the copy would replace")
      const missing = yield* Effect.flip(copy({ ...toPostgres, sqlite: join(data, "none/forge.db") }))
      assert.include(missing.message, "No forge has its rows in")
      assert.isFalse(existsSync(join(data, "none")))
      yield* copy(toPostgres)
      assert.include((yield* Effect.flip(copy(toPostgres))).message, "already uses postgres://")
      const other = yield* prepared
      const refused = yield* Effect.flip(copy({ ...toPostgres, sqlite: other.sqlite }))
      assert.include(refused.message, "already has the rows of a forge")
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(Storage.layer(data)))))
      assert.include(error.message, "its rows are in postgres://")
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(Layer.fresh(Storage.layer(data, postgres)))
          const running = yield* Effect.flip(copy({ ...toSqlite, sqlite: join(data, "back/forge.db") }))
          assert.include(running.message, "A forge is running on postgres://")
        })
      )
    })
  )

  it.effect("refuses a schema of another version, whose columns it does not know", () =>
    Effect.gen(function* () {
      const { data, postgres, sqlite } = yield* prepared
      yield* copy({ sqlite, postgres, direction: "toPostgres" })
      yield* TestDatabase.run(data, "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'future')")
      const backup = Backup.run({ data, postgres, to: join(yield* folder, "backup"), onProgress: () => {} })
      const refused = yield* Effect.flip(backup)
      assert.include(refused.message, "has version 9999 of the schema")
      assert.include(refused.message, "Use the version of tongs that the forge uses, with a new folder as --to")
      const back = yield* Effect.flip(copy({ sqlite: join(data, "back/forge.db"), postgres, direction: "toSqlite" }))
      assert.include(back.message, "has version 9999 of the schema")
    })
  )

  it.effect("is no backup without a repository whose row PostgreSQL has", () =>
    Effect.gen(function* () {
      const { data, postgres, sqlite } = yield* prepared
      yield* copy({ sqlite, postgres, direction: "toPostgres" })
      const to = join(yield* folder, "backup")
      const backup = Backup.run({ data, postgres, to, onProgress: () => {} })
      assert.include((yield* Effect.flip(backup)).message, "No repository at x, but the forge has its row")
      const allowed = yield* Backup.run({ data, postgres, to: `${to}-2`, allowsMissing: true, onProgress: () => {} })
      assert.deepInclude(allowed, { missing: ["x"], repositories: 0 })
    })
  )

  it.effect("has time for large tables", () =>
    Effect.gen(function* () {
      const { data, postgres } = yield* prepared
      yield* TestDatabase.run(data, "CREATE VIEW limits AS SELECT current_setting('statement_timeout') AS id")
      const table = { name: "limits", columns: ["id"], key: ["id"], names: new Set<string>(), isCounted: false }
      const store = yield* PostgresStore.open("limits", postgres, "source")
      assert.deepStrictEqual(yield* store.page(table, undefined, 1), [{ id: "0" }])
    })
  )

  it.effect("names the row that PostgreSQL cannot store", () =>
    Effect.gen(function* () {
      const { postgres, sqlite } = yield* prepared
      const source = new DatabaseSync(sqlite)
      source.prepare("UPDATE users SET name = ? WHERE id = 3").run("a\0b")
      source.close()
      const failed = yield* Effect.flip(copy({ sqlite, postgres, direction: "toPostgres" }))
      assert.include(failed.message, "users: name of the row with id 3 has a null character")
    })
  )
})
