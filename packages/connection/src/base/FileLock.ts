/**
 * A lock between processes, identified by the path of a file. The file is an empty SQLite database, because the
 * operating system releases a database lock when the process dies.
 */
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import * as SqliteFile from "./SqliteFile.ts"

/** Milliseconds between two attempts to take the lock. */
const RETRY_INTERVAL = 25

/** Milliseconds of waiting after which `onWait` runs. */
const NOTICE_DELAY = 1_000

/** Longest wait of `withLock` in milliseconds: longer than another process needs to renew a credential. */
const DEFAULT_TIMEOUT = 35_000

interface Options {
  /** Milliseconds after which the caller continues without the lock. */
  readonly timeout: number
  /** Runs once if the lock is not free within a second. */
  readonly onWait?: Effect.Effect<void>
}

/**
 * Takes the lock until the Effect scope closes. Continues without the lock after the timeout, or if the lock cannot be
 * created.
 */
export const acquire = (
  path: string,
  { onWait = Effect.void, timeout }: Options
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      const start = yield* Clock.currentTimeMillis
      let isAnnounced = false
      let lock = yield* tryAcquire(path)
      while (lock === "busy") {
        const waited = (yield* Clock.currentTimeMillis) - start
        if (waited >= timeout) return
        if (waited >= NOTICE_DELAY && !isAnnounced) {
          isAnnounced = true
          yield* onWait
        }
        yield* restore(Effect.sleep(RETRY_INTERVAL))
        lock = yield* tryAcquire(path)
      }
      const held = lock
      yield* Effect.addFinalizer(() => Effect.sync(() => held?.close()))
    })
  )

/** Runs an effect while holding the lock. After 35 s of waiting, runs the effect without the lock. */
export const withLock =
  (path: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
    Effect.scoped(Effect.andThen(acquire(path, { timeout: DEFAULT_TIMEOUT }), self))

/**
 * Tries once to take the lock. Returns an open lock for the caller to close; `"busy"` if another process has it; or
 * undefined if the file cannot be created. Several processes can hold a shared lock, but only one an exclusive lock.
 */
export const tryAcquire = (path: string, isShared = false): Effect.Effect<DatabaseSync | "busy" | undefined> =>
  Effect.promise(async () => {
    try {
      const { DatabaseSync } = await import("node:sqlite") // missing in Node 20, on which the library runs
      DataFolder.make(dirname(path))
      return SqliteFile.prepare(new DatabaseSync(path, { timeout: 0 }), (database) => {
        database.exec(isShared ? "BEGIN; SELECT * FROM sqlite_schema" : "BEGIN EXCLUSIVE")
        return database
      })
    } catch (error) {
      return isBusy(error) ? "busy" : undefined
    }
  })

/** Returns true if SQLite failed because another process holds the lock of the database. */
export const isBusy = (error: unknown): boolean => SqliteFile.extendedCode(error) === SqliteFile.codes.busy
