/**
 * The database of a test's data folder: SQLite, or with `TONGS_TEST_POSTGRES` (the URL of a PostgreSQL server) a database
 * of its own on that server.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { removing } from "../git/Fixture.test-support.ts"
import { EmbeddedForge, type Options } from "../main/EmbeddedForge.ts"
import * as Storage from "../main/Storage.ts"
import { Durability } from "./Durability.ts"
import * as Migrations from "./Migrations.ts"
import { baseline } from "./postgres/Baseline.ts"
import * as Postgres from "./postgres/Postgres.ts"
import { DatabaseTime } from "./StoreTime.ts"
import * as WriteLock from "./postgres/WriteLock.ts"

let server = process.env["TONGS_TEST_POSTGRES"]

/** True if the tests run on PostgreSQL. */
export const isPostgres = server !== undefined && server !== ""

/** Creates the databases on another server from now on, by default on the server of all tests. */
export const useServer = (url = process.env["TONGS_TEST_POSTGRES"]): void => {
  server = url
}

/** The databases by data folder, with the promise of their creation. */
const databases = new Map<string, { readonly name: string; readonly created: Promise<unknown> }>()

/** The URL of a database of a server. */
const urlOf = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = name
  return url.href
}

const query = (url: string, sql: string) =>
  Effect.scoped(Effect.flatMap(PgConnection.make({ url: Redacted.make(url) }), (session) => session.query(sql)))

/** Name of the template, which changes with the sources of the schema. */
const templateName = () => {
  const hash = createHash("sha256")
  const files = ["migrations", "postgres"].flatMap((name) => {
    const folder = join(import.meta.dirname, name)
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? join(folder, entry.name) : []
    )
  })
  for (const file of [...files.toSorted(), join(import.meta.dirname, "Migrations.ts")]) hash.update(readFileSync(file))
  return `template_${hash.digest("hex").slice(0, 24)}`
}

/** Key of the advisory lock with which one process creates the template, and the others wait. */
const TEMPLATE_LOCK = 7_346_291

/** Creates the template: a database with the schema, whose copy takes a tenth of the time of the migrations. */
const createTemplate = Effect.fnUntraced(function* (url: string) {
  const name = templateName()
  const session = yield* PgConnection.make({ url: Redacted.make(url) })
  yield* session.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`)
  const { rows } = yield* session.query(`SELECT 1 FROM pg_database WHERE datname = '${name}'`)
  if (rows.length > 0) return name
  const incomplete = `${name}_incomplete`
  yield* session.query(`DROP DATABASE IF EXISTS ${incomplete} WITH (FORCE)`)
  yield* session.query(`CREATE DATABASE ${incomplete}`)
  const layer = Layer.provide(
    Migrations.postgresLayer(baseline, WriteLock.install),
    Postgres.layer({ url: Redacted.make(urlOf(url, incomplete)) })
  )
  yield* Effect.scoped(Layer.build(layer))
  yield* session.query(`ALTER DATABASE ${incomplete} RENAME TO ${name}`)
  return name
}, Effect.scoped)

/** The templates by the server's URL. */
const templates = new Map<string, Promise<string>>()

const create = async (url: string, name: string) => {
  const template = templates.get(url) ?? Effect.runPromise(createTemplate(url))
  templates.set(url, template)
  await Effect.runPromise(query(url, `CREATE DATABASE ${name} TEMPLATE ${await template}`))
}

/** Returns the database of a data folder, which is created at the first call. Undefined for SQLite. */
export const databaseOf = Effect.fnUntraced(function* (data: string) {
  if (server === undefined || server === "") return undefined
  const name = `test_${createHash("sha256").update(data).digest("hex").slice(0, 24)}`
  const known = databases.get(data) ?? { name, created: create(server, name) }
  databases.set(data, known)
  yield* Effect.promise(() => known.created)
  return { url: Redacted.make(urlOf(server, name)) } satisfies Storage.DatabaseOptions
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

/** The folders are removed after the test, so nothing is flushed to the disk. Tests move the clock of the process. */
const settings = Layer.mergeAll(Layer.succeed(Durability, false), Layer.succeed(DatabaseTime, false))

/** `Storage.layer` with the database of the tests. */
export const storageLayer = (data: string) =>
  Layer.unwrap(Effect.map(databaseOf(data), (database) => Storage.layer(data, database))).pipe(Layer.provide(settings))

/** `EmbeddedForge.layer` with the database of the tests. */
export const forgeLayer = (options: Options) =>
  Layer.unwrap(Effect.map(databaseOf(options.data), (database) => EmbeddedForge.layer({ ...options, database }))).pipe(
    Layer.provide(settings)
  )
