/**
 * The database of a test's data folder: SQLite, or with `TONGS_TEST_POSTGRES` (the URL of a PostgreSQL server) a database
 * of its own on that server.
 */
import { createHash } from "node:crypto"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { removing } from "../git/Fixture.test-support.ts"
import { EmbeddedForge, type Options } from "../main/EmbeddedForge.ts"
import * as Storage from "../main/Storage.ts"
import { Durability } from "./Durability.ts"

let server = process.env["TONGS_TEST_POSTGRES"]

/** True if the tests run on PostgreSQL. */
export const isPostgres = server !== undefined && server !== ""

/** Creates the databases on another server from now on, by default on the server of all tests. */
export const useServer = (url = process.env["TONGS_TEST_POSTGRES"]): void => {
  server = url
}

/** The databases by data folder, with the promise of their creation. */
const databases = new Map<string, { readonly name: string; readonly created: Promise<unknown> }>()

const query = (url: string, sql: string) =>
  Effect.scoped(Effect.flatMap(PgConnection.make({ url: Redacted.make(url) }), (session) => session.query(sql)))

/** Returns the database of a data folder, which is created at the first call. Undefined for SQLite. */
export const databaseOf = Effect.fnUntraced(function* (data: string) {
  if (server === undefined || server === "") return undefined
  const name = `test_${createHash("sha256").update(data).digest("hex").slice(0, 24)}`
  const known = databases.get(data) ?? { name, created: Effect.runPromise(query(server, `CREATE DATABASE ${name}`)) }
  databases.set(data, known)
  yield* Effect.promise(() => known.created)
  const url = new URL(server)
  url.pathname = name
  return { url: Redacted.make(url.href) } satisfies Storage.DatabaseOptions
})

/** Deletes the databases of the data folders in a folder. */
removing.push((path) =>
  Effect.forEach(
    [...databases].filter(([data]) => data.startsWith(path)),
    ([data, { name }]) =>
      Effect.andThen(
        Effect.ignore(query(server ?? "", `DROP DATABASE ${name} WITH (FORCE)`)),
        Effect.sync(() => databases.delete(data))
      ),
    { discard: true }
  )
)

/** Runs a statement on the PostgreSQL database of a data folder, as a program other than the forge. */
export const run = (data: string, sql: string) =>
  Effect.flatMap(databaseOf(data), (database) =>
    Effect.orDie(query(Redacted.value(database?.url ?? Redacted.make("")), sql))
  )

/** A column of a table. The type is `integer`, `text`, `real` or `blob`. */
interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

/** The columns of all tables. */
export const columns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.onDialectOrElse({
    pg: () => sql<Column>`
      SELECT table_name AS table, column_name AS name, CASE data_type WHEN 'bigint' THEN 'integer'
        WHEN 'double precision' THEN 'real' WHEN 'bytea' THEN 'blob' ELSE data_type END AS type
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'effect_sql_migrations'
      ORDER BY table_name, column_name`,
    orElse: () => sql<Column>`
      SELECT m.name AS "table", c.name AS name, lower(c.type) AS type FROM pragma_table_list m, pragma_table_info(m.name) c
      WHERE m.schema = 'main' AND m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'effect_sql_migrations'
      ORDER BY m.name, c.name`
  })
})

/** The folders are removed after the test, so nothing is flushed to the disk. */
const withoutFlushing = Layer.succeed(Durability, false)

/** `Storage.layer` with the database of the tests. */
export const storageLayer = (data: string) =>
  Layer.unwrap(Effect.map(databaseOf(data), (database) => Storage.layer(data, database))).pipe(
    Layer.provide(withoutFlushing)
  )

/** `EmbeddedForge.layer` with the database of the tests. */
export const forgeLayer = (options: Options) =>
  Layer.unwrap(Effect.map(databaseOf(options.data), (database) => EmbeddedForge.layer({ ...options, database }))).pipe(
    Layer.provide(withoutFlushing)
  )
