/**
 * An `effect/sql` client over PostgreSQL with a pool of connections. Rows have the values that SQLite gives: numbers for
 * all integers, 0 and 1 for booleans.
 *
 * **Details**
 *
 * All waits are bounded. A connection that cannot be opened is tried again for some seconds, a read that lost its
 * connection runs again. A write that lost its connection may have been made or not, and fails.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { makeCompiler } from "@effect/sql-pg/PgClient"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import * as KeyedSemaphore from "../../base/KeyedSemaphore.ts"
import * as SqlFragments from "../SqlFragments.ts"
import { accessCounter, isEnd, isOfCluster, isRead } from "../StatementKind.ts"
import { StoreRevision } from "../StoreRevision.ts"
import * as PostgresRevision from "./PostgresRevision.ts"
import * as WriteLock from "./WriteLock.ts"

export interface Options {
  /** URL such as `postgres://user@host:5432/database`. */
  readonly url: Redacted.Redacted
  /** Password, asked for each connection. By default the password of the URL. */
  readonly password?: Effect.Effect<Redacted.Redacted> | undefined
  /**
   * Maximum pause in a transaction, a minute by default. A stopped process holds the lock of all writes until then, so
   * processes of a cluster have a shorter limit.
   */
  readonly idleInTransaction?: Duration.Duration | undefined
  /**
   * Name of this process in its cluster. Other processes may have the database open at any time, so this one never acts
   * as if it were alone.
   */
  readonly runner?: string | undefined
  /** Maximum number of connections, 10 by default. One more is for `PostgresRevision`. */
  readonly maxConnections?: number | undefined
}

/** Limits of a session, in milliseconds. */
const limits = {
  statement_timeout: "30000",
  lock_timeout: "10000"
}

/** Settings for short statements: starting workers or a compiler takes longer than the statements. */
const planner = { jit: "off", max_parallel_workers_per_gather: "0" }

/** Maximum time to open a connection, and to wait for another request to return one. */
const connectLimit = Duration.seconds(5)
const poolLimit = Duration.seconds(15)

/** Maximum size of a row in bytes: the payload of a delivery can have 25 MiB. */
const MAX_MESSAGE = 64 * 1024 * 1024

/** Connections of a pool, and those of them that transactions leave to reads: only one transaction runs at a time. */
const MAX_CONNECTIONS = 10
const RESERVED = 4

/** Maximum transactions of a process of a cluster: if the process stops, each of them may hold the lock for a while. */
const MAX_CLUSTERED = 2

/** Number of attempts to open a connection, and the pause between attempts. */
const CONNECT_RETRIES = 20
const connectPause = Duration.millis(200)

const types = PgTypes.makeRegistry()
types.register<number | bigint>(PgTypes.OID.int8, {
  encode: (value) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) => Result.succeed(Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0)))
})
types.register<number | boolean>(PgTypes.OID.bool, {
  encode: (value) => Result.succeed(Uint8Array.of(value === true || value === 1 ? 1 : 0)),
  decode: (bytes) => Result.succeed(bytes[0] === 0 ? 0 : 1)
})

/** The settings of every session. */
export const session = ({
  idleInTransaction = Duration.minutes(1),
  password,
  runner,
  url
}: Options): PgConnection.Config => ({
  url,
  ...(password === undefined ? {} : { password }),
  applicationName: runner === undefined ? WriteLock.APPLICATION : WriteLock.sessionName(runner),
  connectTimeout: connectLimit,
  keepAlive: Duration.seconds(10),
  startupParameters: {
    ...limits,
    idle_in_transaction_session_timeout: String(Duration.toMillis(idleInTransaction)),
    ...planner
  },
  maxMessageSize: MAX_MESSAGE,
  types
})

/** PostgreSQL's codes while it starts, ends or has too many connections. */
const passingCodes = /^(?:08|53300|57P)/

/** True if a connection failed for a cause that passes, for example a restart of PostgreSQL. */
const isConnectionError = ({ reason }: SqlError.SqlError): boolean => {
  const { cause } = reason
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  return reason._tag === "ConnectionError" || (typeof code === "string" && passingCodes.test(code))
}

/** PostgreSQL has no conversion from a boolean to a number column. */
const input = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1 : 0
  return typeof value === "string" ? SqlFragments.storable(value) : (value ?? null)
}

const BEGIN = "BEGIN"

/** Creates the connection of a session. Calls `onWrite` after each statement that may write. */
const connect = (session: PgConnection.PgConnection, onWrite: (sql: string) => void): SqlConnection.Connection => {
  /** The start of a transaction, whose result the first statement reports. */
  let begun: Fiber.Fiber<unknown, SqlError.SqlError> | undefined

  /** Sends the start of a transaction with the next statement, in one round trip. */
  const begin = Effect.map(
    Effect.forkDetach(
      // Not prepared, so that it cannot fail alone. If the lock fails, so do the statements that follow.
      Effect.all([session.query(BEGIN, [], false), session.query(WriteLock.ACQUIRE)], { concurrency: "unbounded" }),
      { startImmediately: true }
    ),
    (fiber) => {
      begun = fiber
    }
  )

  const afterBegin = <A>(statement: Effect.Effect<A, SqlError.SqlError>) =>
    Effect.suspend(() => {
      const start = begun
      begun = undefined
      return start === undefined
        ? statement
        : Effect.flatMap(Effect.exit(statement), (exit) => Effect.andThen(Fiber.join(start), exit))
    })

  const counted = <A>(sql: string, effect: Effect.Effect<A, SqlError.SqlError>) =>
    afterBegin(
      isRead(sql)
        ? effect
        : Effect.ensuring(
            effect,
            Effect.sync(() => onWrite(sql))
          )
    )

  const raw = (sql: string, params: ReadonlyArray<unknown>, prepare = true) =>
    counted(sql, session.query(sql, params.map(input), prepare))

  const values = (sql: string, params: ReadonlyArray<unknown>, prepare = true) =>
    counted(sql, session.queryValues(sql, params.map(input), prepare))

  const rows =
    (prepare: boolean): SqlConnection.Connection["execute"] =>
    (sql, params, transform) => {
      if (sql === BEGIN) return Effect.as(begin, [])
      return Effect.map(raw(sql, params, prepare), ({ rows }) => (transform === undefined ? rows : transform(rows)))
    }

  return {
    execute: rows(true),
    executeUnprepared: rows(false),
    executeRaw: raw,
    executeValues: values,
    executeValuesUnprepared: (sql, params) => values(sql, params, false),
    executeStream: (sql, params) => session.stream(sql, params.map(input))
  }
}

/** Fails a commit that PostgreSQL answered with a rollback, as for a transaction with a failed statement. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
    const isRolledBack =
      typeof result === "object" && result !== null && "command" in result && result.command === "ROLLBACK"
    const cause = new Error("COMMIT rolled back an aborted transaction")
    return isRolledBack
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({ cause, message: cause.message, operation: "commit" })
          })
        )
      : Effect.void
  })

const failed = (message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation: "acquire" })
  })

const notFree = () => failed(`No connection to the database was free within ${Duration.toSeconds(poolLimit)} s`)

/**
 * Limits the time to get a connection. Once all attempts have failed, the next requests try once, so that they do not
 * wait for a database that is down.
 */
const bounded = <A, R>(acquire: Effect.Effect<A, SqlError.SqlError, R>) => {
  let isDown = false
  const note = (down: boolean) => () =>
    Effect.sync(() => {
      isDown = down
    })
  return acquire.pipe(
    Effect.retry({
      while: (error) => !isDown && isConnectionError(error),
      schedule: Schedule.spaced(connectPause),
      times: CONNECT_RETRIES
    }),
    Effect.tap(note(false)),
    Effect.tapError(note(true)),
    Effect.timeoutOrElse({
      duration: poolLimit,
      orElse: () => Effect.fail(notFree())
    })
  )
}

/** Creates the client of a pool. `listen` gives each connection a function to call after a statement that may write. */
const makeClient = (pool: PgPool.PgPool, maxTransactions: number, listen: () => (sql: string) => void) => {
  const get = bounded(pool.get)
  const permits = KeyedSemaphore.make(maxTransactions)
  const permit = Effect.timeoutOrElse(permits.take("transaction"), {
    duration: poolLimit,
    orElse: () => Effect.fail(notFree())
  })
  const acquirer = Effect.map(Effect.andThen(permit, get), (session) => connect(session, listen()))

  /** Runs statements without a transaction. Runs them again if the connection was lost, unless one may have written. */
  const borrower: SqlConnection.Borrower = (use) =>
    Effect.suspend(() => {
      let canRepeat = false
      const onWrite = listen()
      const note = (sql: string) => {
        canRepeat = false
        onWrite(sql)
      }
      const lent = (session: PgConnection.PgConnection) => {
        canRepeat = true
        return use(connect(session, note))
      }
      const attempt = Effect.suspend(() => {
        canRepeat = false
        return Effect.scoped(Effect.flatMap(get, lent))
      })
      return Effect.retry(attempt, {
        while: (error) => canRepeat && SqlError.isSqlError(error) && isConnectionError(error),
        times: 2
      })
    })

  return SqlClient.make({
    acquirer,
    borrower,
    driver: "@effect/sql-pg",
    compiler: makeCompiler(),
    prepareTransactionControls: true,
    beginTransaction: BEGIN,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
}

/** The oldest supported version of PostgreSQL: the first with `pg_current_snapshot`. */
const MIN_VERSION = 13

/** Fails for a database that the forge cannot use. */
const check = Effect.fnUntraced(function* (pool: PgPool.PgPool) {
  const { rows } = yield* pool.use((session) =>
    session.query(`
      SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`)
  )
  const version = String(rows[0]?.["version"])
  const encoding = String(rows[0]?.["encoding"])
  if (Number.parseInt(version) < MIN_VERSION) {
    return yield* failed(`PostgreSQL ${version} is too old; the forge needs ${MIN_VERSION} or newer`)
  }
  if (encoding !== "UTF8") return yield* failed(`the database has the encoding ${encoding}; the forge needs UTF8`)
})

export const layer = (options: Options) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const maxConnections = options.maxConnections ?? MAX_CONNECTIONS
      const pool = yield* PgPool.make({
        ...session(options),
        maxConnections,
        // Each request has a connection of its own, on which it may send statements without waiting.
        multiplex: true,
        multiplexConcurrency: 1
      })
      yield* check(pool)
      let written = 0
      let accessWritten = 0
      const client = yield* makeClient(
        pool,
        options.runner === undefined ? maxConnections - RESERVED : MAX_CLUSTERED,
        () => {
          const countAccess = accessCounter(() => {
            accessWritten += 1
          })
          /** True in a transaction that has written to tables of the forge. */
          let hasWritten = false
          return (sql) => {
            const ends = isEnd(sql)
            if (isOfCluster(sql) || (ends && !hasWritten)) return
            hasWritten = !ends
            written += 1
            countAccess(sql)
          }
        }
      )
      const revision = yield* PostgresRevision.make(
        session(options),
        client,
        () => written,
        () => accessWritten,
        options.runner !== undefined
      )
      return Context.make(SqlClient.SqlClient, client).pipe(Context.add(StoreRevision, revision))
    })
  ).pipe(Layer.provide(Reactivity.layer))
