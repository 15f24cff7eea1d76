/**
 * An `effect/sql` client over `node:sqlite`: one connection, statements prepared once, write-ahead log. Several
 * processes may have the same file open; a writer waits for another up to `busyTimeout`.
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

export interface Options {
  readonly filename: string
  /** How long a statement waits for another process, in milliseconds. */
  readonly busyTimeout?: number
}

/** Prepared statements that are kept. */
const maxStatements = 500

const sqlError = (operation: string) => (cause: unknown) =>
  new SqlError.SqlError({
    reason: SqlError.classifySqliteError(withErrno(cause), { message: `Failed to ${operation} statement`, operation })
  })

/** `node:sqlite` has the result code in `errcode`, where the classification looks for `errno`. */
const withErrno = (cause: unknown) =>
  cause instanceof Error && "errcode" in cause ? Object.assign(cause, { errno: cause.errcode }) : cause

const input = (value: unknown): SQLInputValue => {
  if (typeof value === "boolean") return value ? 1 : 0
  if (value === undefined) return null
  return value as SQLInputValue // what effect/sql's compiler lets through besides the above
}

const open = (options: Options) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = new DatabaseSync(options.filename, { timeout: options.busyTimeout ?? 10_000 })
        database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON")
        return database
      },
      catch: sqlError("open")
    }),
    (database) => Effect.sync(() => database.close())
  )

const connect = (database: DatabaseSync): SqlConnection.Connection => {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const oldest = statements.keys().next()
    if (statements.size >= maxStatements && oldest.done === false) statements.delete(oldest.value)
    statements.set(sql, statement)
    return statement
  }

  const run = (statement: () => StatementSync, params: ReadonlyArray<unknown>, arrays: boolean) =>
    Effect.try({
      try: (): ReadonlyArray<never> => {
        const prepared = statement()
        prepared.setReturnArrays(arrays)
        return prepared.all(...params.map(input)) as unknown as ReadonlyArray<never> // rows are checked by whoever asked
      },
      catch: sqlError("execute")
    })

  return {
    execute: (sql, params, transform) => {
      const rows = run(() => prepare(sql), params, false)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeRaw: (sql, params) =>
      Effect.try({ try: () => prepare(sql).run(...params.map(input)), catch: sqlError("execute") }),
    executeValues: (sql, params) => run(() => prepare(sql), params, true),
    executeValuesUnprepared: (sql, params) => run(() => database.prepare(sql), params, true),
    executeUnprepared: (sql, params, transform) => {
      const rows = run(() => database.prepare(sql), params, false)
      return transform === undefined ? rows : Effect.map(rows, transform)
    },
    executeStream: (sql, params, transform) =>
      Stream.suspend(() => {
        const rows = database.prepare(sql).iterate(...params.map(input))
        return Stream.fromIterable(transform === undefined ? rows : transform([...rows]))
      })
  }
}

/** A text that differs once anything in the store has changed, by this process or another. It costs microseconds. */
export class StoreRevision extends Context.Service<StoreRevision, { readonly current: () => string }>()(
  "@tongs/service/storage/StoreRevision"
) {}

const revisionOf = (database: DatabaseSync) => {
  // `data_version` moves with other connections' commits, `total_changes` with this one's.
  const others = database.prepare("PRAGMA data_version")
  const own = database.prepare("SELECT total_changes()")
  others.setReturnArrays(true)
  own.setReturnArrays(true)
  return StoreRevision.of({ current: () => `${String(others.get())}.${String(own.get())}` })
}

const make = Effect.fnUntraced(function* (database: DatabaseSync) {
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connect(database)),
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
      const database = yield* open(options)
      const client = yield* make(database)
      return Context.make(SqlClient.SqlClient, client).pipe(Context.add(StoreRevision, revisionOf(database)))
    })
  ).pipe(Layer.provide(Reactivity.layer))
