/**
 * The revision of a PostgreSQL database. A cached answer is never older than a write that was acknowledged before the
 * request, by this or another process.
 *
 * **Details**
 *
 * A process that is alone counts its own writes, and asks the database for nothing. Each process holds an advisory lock:
 * alone an exclusive one, with others a shared one. A process that starts announces itself and waits until the lone
 * process has given up the exclusive lock. From then on, each request first asks for the number of writes; requests that
 * arrive together share one question.
 *
 * A write takes its number while it holds `WriteLock.COUNT_LOCK`, and PostgreSQL releases the lock after other sessions
 * see the transaction, but before it acknowledges the commit. The question holds the same lock as a shared one. So all
 * writes up to the number N in the answer are visible to the reads that follow, and an answer N at a later time proves
 * that no other write was acknowledged in between: values that were read after the first N are still current. While a
 * transaction with writes runs, the question does not wait, and the answer is the snapshot, which names all visible
 * transactions, also those of other programs and databases. The tables of the cluster itself are not counted.
 *
 * A crash of PostgreSQL can take back numbers of writes that were not committed. So the revision also changes with the
 * start of the server, and when this process loses its session.
 *
 * A lone process that did not hear from the database for `LEASE_MILLIS` asks too: its lock may be lost without its knowledge.
 * The keepalive of the session makes PostgreSQL keep the lock for longer. Programs other than the forge hold no lock;
 * the trigger of `WriteLock` announces their writes.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreRevision } from "../StoreRevision.ts"
import * as WriteLock from "./WriteLock.ts"

/** Pause between two signs of life of the session, and the age at which a lone process no longer trusts its lock. */
const pulse = Duration.millis(1000)
const LEASE_MILLIS = 3000

/** Announcements of a process that starts, and the pause between two. */
const MAX_ANNOUNCEMENTS = 50
const announcePause = Duration.millis(20)

/** Keepalive of the session's socket on the side of PostgreSQL: a lost process keeps its lock for 25 seconds. */
const keepalive = { tcp_keepalives_idle: "10", tcp_keepalives_interval: "5", tcp_keepalives_count: "3" }

const LOCK = "1953459815, 2"

/** Returns the revision. `written` counts the writes of this process, `accessWritten` those that may change access. */
export const make = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  client: SqlClient.SqlClient,
  written: () => number,
  accessWritten: () => number,
  isShared = false
) {
  /** Time until which this process is known to be alone, in milliseconds of `performance.now`, or 0. */
  let aloneUntil = 0
  /** Counts the writes of other programs, the times at which this process became alone, and the lost sessions. */
  let foreign = 0
  let answered = ""

  const query = client<{ readonly revision: string }>`
    SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) AS text) || ' ' ||
      CASE WHEN pg_try_advisory_xact_lock_shared(${client.literal(WriteLock.COUNT_LOCK)})
        THEN (SELECT CAST(last_value AS text) FROM ${client.literal(WriteLock.COUNTER)})
        ELSE CAST(pg_current_snapshot() AS text) END AS revision`
  let failures = 0
  // Without an answer nothing cached is current, and the request's own reads report the cause.
  const ask = Effect.map(Effect.result(query), (answer) => {
    answered = Result.isSuccess(answer) ? (answer.success[0]?.revision ?? "") : `failed ${++failures}`
  })

  yield* watch(config, isShared, {
    onAlone: (at) => {
      if (aloneUntil === 0) foreign += 1
      aloneUntil = at + LEASE_MILLIS
    },
    onCompany: () => {
      aloneUntil = 0
    },
    onWrite: () => {
      foreign += 1
    },
    onLost: () => {
      aloneUntil = 0
      foreign += 1
    }
  })

  const answer = () => (answered === "" || answered.startsWith("failed") ? undefined : answered)

  const refresh = yield* shared(ask)
  return StoreRevision.of({
    current: () => `${answered}.${foreign}.${written()}`,
    access: () => `${answered}.${foreign}.${accessWritten()}`,
    refresh: (known) =>
      performance.now() < aloneUntil || (known !== undefined && known === answer()) ? undefined : refresh,
    answered: answer,
    isIsolated: Effect.map(Effect.serviceOption(client.transactionService), Option.isSome)
  })
})

/** Shares an effect: callers during a run wait for the next run, which starts after all of them have called. */
const shared = (effect: Effect.Effect<void>) =>
  Effect.map(Effect.context(), (context) => {
    const run = Effect.runForkWith(context)
    let running: Deferred.Deferred<void> | undefined
    let next: Deferred.Deferred<void> | undefined
    const start = (result: Deferred.Deferred<void>) => {
      running = result
      run(
        Effect.onExit(effect, (exit) =>
          Effect.sync(() => {
            const following = next
            running = next = undefined
            Deferred.doneUnsafe(result, exit)
            if (following !== undefined) start(following)
          })
        )
      )
    }
    return Effect.suspend(() => {
      const result = Deferred.makeUnsafe<void>()
      if (running === undefined) {
        start(result)
        return Deferred.await(result)
      }
      next ??= result
      return Deferred.await(next)
    })
  })

interface Listener {
  /** This process was alone at a time, in milliseconds of `performance.now`. */
  readonly onAlone: (at: number) => void
  /** Another process may write from now on. */
  readonly onCompany: () => void
  /** Another program has written. */
  readonly onWrite: () => void
  /** The session is lost, perhaps because PostgreSQL has crashed. */
  readonly onLost: () => void
}

/** Opens the session with the lock, opens a lost session again, and returns once the lock is held. */
const watch = Effect.fnUntraced(function* (config: PgConnection.Config, isShared: boolean, listener: Listener) {
  const opened = Deferred.makeUnsafe<void, SqlError>()
  const settings = { ...config, startupParameters: { ...config.startupParameters, ...keepalive } }
  const session = Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* Effect.flatMap(PgConnection.make(settings), ({ pin }) => pin)
      const messages = yield* connection.listen(WriteLock.CHANNEL)
      // A process of a cluster never holds the exclusive lock, for which others would wait while it is stopped.
      let isAlone = !isShared && (yield* lock(connection, "pg_try_advisory_lock"))
      if (!isAlone) yield* announce(connection)
      const beat = Effect.gen(function* () {
        const at = performance.now()
        if (isAlone || isShared) yield* connection.query("SELECT 1")
        else if (yield* lock(connection, "pg_try_advisory_lock")) {
          yield* lock(connection, "pg_advisory_unlock_shared")
          isAlone = true
        }
        if (isAlone) listener.onAlone(at)
        return at
      })
      let last = yield* beat
      yield* Deferred.succeed(opened, undefined)
      while (true) {
        const message = yield* Effect.timeoutOption(Queue.take(messages), pulse)
        if (Option.isSome(message) && message.value.payload === "write") listener.onWrite()
        if (Option.isSome(message) && message.value.payload === "start" && isAlone) {
          listener.onCompany()
          yield* lock(connection, "pg_advisory_lock_shared")
          yield* lock(connection, "pg_advisory_unlock")
          isAlone = false
        }
        if (performance.now() - last >= Duration.toMillis(pulse)) last = yield* beat
      }
    })
  )
  yield* session.pipe(
    Effect.tapError((error) => Effect.andThen(Effect.sync(listener.onLost), Deferred.fail(opened, error))),
    Effect.retry({ schedule: Schedule.spaced(pulse) }),
    // Tests can stop the clock, but not PostgreSQL's.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
    Effect.forkScoped
  )
  return yield* Deferred.await(opened)
})

/** Takes the lock of a lone process until the session ends. Returns false if a forge runs on the database. */
export const tryLock = (connection: PgConnection.PgConnection) => lock(connection, "pg_try_advisory_lock")

/**
 * Announces this process until the lone process has given up the exclusive lock. Once is not enough: a process that is
 * not alone ignores the message, and can become alone before this process has a lock. At last waits for the lock, which
 * fails after the session's limit.
 */
const announce = (connection: PgConnection.PgConnection) =>
  connection.query(`SELECT pg_notify('${WriteLock.CHANNEL}', 'start')`).pipe(
    Effect.andThen(lock(connection, "pg_try_advisory_lock_shared")),
    Effect.repeat({ until: (held) => held, times: MAX_ANNOUNCEMENTS, schedule: Schedule.spaced(announcePause) }),
    Effect.flatMap((held) => (held ? Effect.void : lock(connection, "pg_advisory_lock_shared")))
  )

/** Calls a function of the advisory lock, and returns the result. */
const lock = (connection: PgConnection.PgConnection, name: string) =>
  Effect.map(connection.query(`SELECT ${name}(${LOCK}) AS held`), ({ rows }) => rows[0]?.["held"] === 1)
