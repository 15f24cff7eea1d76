import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import * as Migrations from "./Migrations.ts"
import * as Sqlite from "./Sqlite.ts"

/** The texts of `sqlite_schema` without their layout, and the rows of all tables except the data of the index of words. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const schema = yield* sql<{ readonly name: string; readonly type: string; readonly text: string }>`
    SELECT name, type, sql AS text FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY name`
  const tables = schema.filter(
    ({ name, type }) => type === "table" && !/^(?:effect_sql_migrations|issue_words)/.test(name)
  )
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(sql`SELECT * FROM ${sql(name)}`, (rows) => [name, rows])
  )
  return {
    schema: schema.map(({ text }) => text.replaceAll(/\s+/g, " ").replaceAll(/ ?([(),]) ?/g, "$1")),
    rows: rows.filter(([, rows = []]) => rows.length > 0)
  }
})

const migrated = (layer: typeof Migrations.sqliteLayer) =>
  Effect.flatMap(folder, (path) =>
    Effect.provide(contents, Layer.provideMerge(layer, Sqlite.layer({ filename: join(path, "forge.db") })))
  )

it.effect("gives the same tables and rows as the migrations", () =>
  Effect.gen(function* () {
    const expected = yield* migrated(Migrations.everySqliteLayer)
    assert.isAbove(expected.schema.length, 270)
    assert.deepStrictEqual(yield* migrated(Migrations.sqliteLayer), expected)
  })
)
