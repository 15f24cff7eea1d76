import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRows } from "../../accounts/UserRows.ts"
import { folder } from "../../git/Fixture.test-support.ts"
import * as ResourceExhaustion from "../../http/ResourceExhaustion.ts"
import * as Storage from "../../main/Storage.ts"
import * as TestDatabase from "../TestDatabase.test-support.ts"

const opened = Effect.gen(function* () {
  const data = yield* folder
  const context = yield* Layer.build(TestDatabase.storageLayer(data))
  return { data, sql: Context.get(context, SqlClient.SqlClient), users: Context.get(context, UserRows) }
})

/** Ends all sessions of the forge. */
const endSessions = (data: string) =>
  TestDatabase.run(
    data,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
  )

describe.skipIf(!TestDatabase.isPostgres)("PostgreSQL", () => {
  it.effect("gives the values that SQLite gives", () =>
    Effect.gen(function* () {
      const { sql } = yield* opened
      const [row] = yield* sql`
        SELECT CAST(9007199254740991 AS bigint) AS big, count(*) AS count, true AS yes, 1.5 > 2 AS no,
          CAST(0.25 AS double precision) AS part, NULL AS none, CAST('\\x00ff' AS bytea) AS bytes FROM users`
      const { bytes, ...others } = row ?? {}
      assert.deepStrictEqual(others, { big: 9007199254740991, count: 0, yes: 1, no: 0, part: 0.25, none: null })
      assert.deepStrictEqual([...(bytes as Uint8Array)], [0, 255]) // oxlint-disable-line typescript/no-unsafe-type-assertion -- asserted here
    })
  )

  it.effect("reads again after the connections were lost", () =>
    Effect.gen(function* () {
      const { data, users } = yield* opened
      yield* users.ensure({ login: "mia" })
      for (let round = 0; round < 5; round++) {
        yield* endSessions(data)
        assert.strictEqual((yield* users.byLogin("mia"))?.login, "mia")
      }
    })
  )

  it.effect("never makes a write twice", () =>
    Effect.gen(function* () {
      const { data, sql } = yield* opened
      // The connection ends while the statement runs, after the row was written.
      const slow = sql`
        WITH added AS (INSERT INTO users (login, created_at, updated_at) VALUES ('slow', '', '') RETURNING id)
        SELECT id, pg_sleep(1) FROM added`
      const running = yield* Effect.forkChild(Effect.result(slow), { startImmediately: true })
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 300)))
      yield* endSessions(data)
      const result = yield* Fiber.join(running)
      assert.strictEqual(result._tag, "Failure")
      if (result._tag === "Failure") assert.isTrue(ResourceExhaustion.isDatabaseUnavailable(result.failure))
      assert.deepStrictEqual(yield* sql`SELECT count(*) AS count FROM users`, [{ count: 0 }])
    })
  )

  it.effect("says that the database is read-only", () =>
    Effect.gen(function* () {
      const { data, sql, users } = yield* opened
      const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
      yield* TestDatabase.run(data, `ALTER DATABASE ${row?.name ?? ""} SET default_transaction_read_only = on`)
      yield* endSessions(data)
      // Until the ended sessions are gone, a write fails for the lost connection.
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 200)))
      yield* users.byLogin("mia")
      const defect = yield* Effect.flip(Effect.sandbox(users.ensure({ login: "mia" })))
      const failure = ResourceExhaustion.toApiError(Cause.squash(defect), { data: undefined, repository: undefined })
      assert.include(failure, { status: 503, detail: "The forge's database is read-only. Retry later" })
    })
  )

  it.effect("reports the first error of a transaction, and rolls back", () =>
    Effect.gen(function* () {
      const { sql, users } = yield* opened
      const failing = sql.withTransaction(
        Effect.andThen(users.ensure({ login: "gone" }), sql`INSERT INTO users (login) VALUES ('incomplete')`)
      )
      const error = yield* Effect.flip(failing)
      assert.strictEqual(error.reason._tag, "ConstraintError")
      assert.isUndefined(yield* users.byLogin("gone"))
      // Also a transaction whose first statement fails.
      const first = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO users (login) VALUES ('incomplete')`))
      assert.strictEqual(first.reason._tag, "ConstraintError")
      yield* users.ensure({ login: "kept" })
    })
  )

  it.effect("orders the ids of concurrent transactions as their commits", () =>
    Effect.gen(function* () {
      const { sql } = yield* opened
      const seen: Array<number> = []
      const add = (index: number) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<{ id: number }>`
              INSERT INTO users (login, created_at, updated_at) VALUES (${`user-${index}`}, '', '') RETURNING id`
            if (index % 3 === 0) yield* sql`SELECT pg_sleep(0.005)`
            return row?.id ?? 0
          })
        )
      const watch = Effect.gen(function* () {
        while (seen.length < 60) {
          const last = seen.at(-1) ?? 0
          const rows = yield* sql<{ id: number }>`SELECT id FROM users WHERE id > ${last} ORDER BY id`
          for (const { id } of rows) seen.push(id)
        }
      })
      const watching = yield* Effect.forkChild(watch, { startImmediately: true })
      yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => index),
        add,
        { concurrency: 8 }
      )
      yield* Fiber.join(watching)
      assert.deepStrictEqual(
        seen,
        (yield* sql<{ id: number }>`SELECT id FROM users ORDER BY id`).map(({ id }) => id)
      )
    })
  )

  it.effect("names the cause if the database cannot be opened, but not the password", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const database = yield* TestDatabase.databaseOf(data)
      const url = new URL(Redacted.value(database?.url ?? Redacted.make("postgres://none/none")))
      url.pathname = "/missing"
      if (url.password === "") url.password = "hush"
      const failed = yield* Effect.flip(Layer.build(Storage.layer(`${data}/data`, { url: Redacted.make(url.href) })))
      assert.include(failed.message, 'database "missing" does not exist')
      assert.notInclude(failed.message, url.password)
    })
  )
})
