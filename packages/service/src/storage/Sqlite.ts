/**
 * An `effect/sql` client over `node:sqlite` with one connection, cached prepared statements and a write-ahead log.
 * Several processes can open the same file; a writer waits for another writer up to `busyTimeout`.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as EventLoopTick from "../base/EventLoopTick.ts"
import { Durability } from "./Durability.ts"
import { accessCounter, isRead } from "./StatementKind.ts"
import { StoreRevision } from "./StoreRevision.ts"

export interface Options {
  readonly filename: string
  /** Maximum time that a statement waits for another process, in milliseconds. */
  readonly busyTimeout?: number
}

/** Maximum memory of the cached pages of the database, in kibibytes. */
const PAGE_CACHE = 65_536

/** Maximum number of cached prepared statements. */
const MAX_STATEMENTS = 500

const sqlError = (operation: string) => (cause: unknown) => {
  const message = cause instanceof Error ? cause.message : `Failed to ${operation} statement`
  return new SqlError.SqlError({ reason: SqlError.classifySqliteError(withErrno(cause), { message, operation }) })
}

/** Copies SQLite's result code from `errcode` to `errno`, by which `effect/sql` classifies errors. */
const withErrno = (cause: unknown) =>
  cause instanceof Error && "errcode" in cause ? Object.assign(cause, { errno: cause.errcode }) : cause

const input = (value: unknown): SQLInputValue => {
  if (typeof value === "boolean") return value ? 1 : 0
  if (value === undefined) return null
  return value as SQLInputValue // oxlint-disable-line typescript/no-unsafe-type-assertion -- the other types that effect/sql's compiler accepts
}

const open = (options: Options, isDurable: boolean) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = new DatabaseSync(options.filename, { timeout: options.busyTimeout ?? 10_000 })
        database.exec("PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON")
        database.exec(`PRAGMA synchronous=${isDurable ? "FULL" : "OFF"}; PRAGMA cache_size=-${PAGE_CACHE}`)
        return database
      },
      catch: sqlError("open")
    }),
    (database) => Effect.sync(() => database.close())
  )

/** Creates the connection. Calls `onWrite` after each statement that may write. */
const connect = (database: DatabaseSync, onWrite: (sql: string) => void): SqlConnection.Connection => {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const oldest = statements.keys().next()
    if (statements.size >= MAX_STATEMENTS && oldest.done === false) statements.delete(oldest.value)
    statements.set(sql, statement)
    return statement
  }

  const run = <A>(sql: string, params: ReadonlyArray<unknown>, execute: (params: ReadonlyArray<SQLInputValue>) => A) =>
    Effect.try({
      try: () => {
        const result = execute(params.map(input))
        if (!isRead(sql)) onWrite(sql)
        return result
      },
      catch: sqlError("execute")
    })

  const all =
    (statement: (sql: string) => StatementSync, arrays: boolean) => (sql: string, params: ReadonlyArray<unknown>) =>
      run(sql, params, (inputs): ReadonlyArray<never> => {
        const prepared = statement(sql)
        prepared.setReturnArrays(arrays)
        return prepared.all(...inputs) as unknown as ReadonlyArray<never> // oxlint-disable-line typescript/no-unsafe-type-assertion -- the caller decodes the rows
      })

  const unprepared = (sql: string) => database.prepare(sql)
  const rows = all(prepare, false)
  const rowsOnce = all(unprepared, false)

  return {
    execute: (sql, params, transform) =>
      transform === undefined ? rows(sql, params) : Effect.map(rows(sql, params), transform),
    executeRaw: (sql, params) => run(sql, params, (inputs) => prepare(sql).run(...inputs)),
    executeValues: all(prepare, true),
    executeValuesUnprepared: all(unprepared, true),
    executeUnprepared: (sql, params, transform) =>
      transform === undefined ? rowsOnce(sql, params) : Effect.map(rowsOnce(sql, params), transform),
    executeStream: (sql, params, transform) =>
      Stream.suspend(() => {
        const iterated = database.prepare(sql).iterate(...params.map(input))
        return Stream.fromIterable(transform === undefined ? iterated : transform([...iterated]))
      })
  }
}

/**
 * Returns the revision: `data_version` counts the commits of other connections, `written` the commits of this
 * connection.
 */
const revisionOf = (database: DatabaseSync, written: () => number, accessWritten: () => number) => {
  const statement = database.prepare("PRAGMA data_version")
  const others = EventLoopTick.oncePerTick(() => String(statement.get()?.data_version))
  return StoreRevision.of({
    current: () => `${others()}.${written()}`,
    access: () => `${others()}.${accessWritten()}`,
    refresh: () => undefined,
    answered: () => undefined,
    isIsolated: undefined
  })
}

const make = Effect.fnUntraced(function* (database: DatabaseSync, connection: SqlConnection.Connection) {
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: yield* Semaphore.make(1),
    isTransaction: () => database.isTransaction
  })
  return yield* SqlClient.make({
    ...acquirers,
    driver: "node:sqlite",
    compiler: Statement.makeCompilerSqlite(),
    prepareTransactionControls: true,
    beginTransaction: "BEGIN IMMEDIATE",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

export const layer = (options: Options) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const database = yield* open(options, yield* Durability)
      let written = 0
      let accessWritten = 0
      const countAccess = accessCounter(() => {
        accessWritten += 1
      })
      const connection = connect(database, (sql) => {
        written += 1
        countAccess(sql)
      })
      const client = yield* make(database, connection)
      const revision = revisionOf(
        database,
        () => written,
        () => accessWritten
      )
      return Context.make(SqlClient.SqlClient, client).pipe(Context.add(StoreRevision, revision))
    })
  ).pipe(Layer.provide(Reactivity.layer))
