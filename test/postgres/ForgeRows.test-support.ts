/** The database of a forge's data folder: SQLite, or PostgreSQL if the tests run on it. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { removing } from "@tongs/service/git/Fixture.test-support"
import * as TestDatabase from "@tongs/service/storage/TestDatabase.test-support"

type Row = Readonly<Record<string, unknown>>

/** The environment of a forge with a data folder. */
export const environment = async (data: string): Promise<NodeJS.ProcessEnv> => {
  const database = await Effect.runPromise(TestDatabase.databaseOf(data))
  return database === undefined ? {} : { TONGS_DATABASE: Redacted.value(database.url) }
}

/** Deletes the databases of the data folders in a folder. */
export const remove = (folder: string): Promise<void> =>
  Effect.runPromise(Effect.forEach(removing, (remove) => remove(folder), { discard: true }))

interface Connection extends AsyncDisposable {
  readonly query: (sql: string) => Promise<ReadonlyArray<Row>>
}

/** Opens the database of a data folder. Large integers of PostgreSQL are `bigint`. */
export const connect = async (data: string): Promise<Connection> => {
  const database = await Effect.runPromise(TestDatabase.databaseOf(data))
  if (database === undefined) {
    const store = new DatabaseSync(join(data, "forge.db"), { readOnly: true })
    return {
      query: async (sql) => store.prepare(sql).all(),
      [Symbol.asyncDispose]: async () => store.close()
    }
  }
  const scope = Scope.makeUnsafe()
  const session = await Effect.runPromise(Scope.provide(PgConnection.make(database), scope))
  return {
    query: async (sql) => (await Effect.runPromise(session.query(sql))).rows,
    [Symbol.asyncDispose]: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Runs a query in the database of a data folder. */
export const query = async (data: string, sql: string): Promise<ReadonlyArray<Row>> => {
  await using connection = await connect(data)
  return await connection.query(sql)
}

/** Violations of SQLite's integrity. PostgreSQL checks its keys itself. */
export const damage = async (data: string): Promise<ReadonlyArray<Row>> =>
  (await Effect.runPromise(TestDatabase.databaseOf(data))) !== undefined
    ? []
    : [
        ...(await query(data, "PRAGMA foreign_key_check")),
        ...(await query(data, "PRAGMA integrity_check")).filter(({ integrity_check }) => integrity_check !== "ok")
      ]
