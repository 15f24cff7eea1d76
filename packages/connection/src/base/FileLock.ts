/**
 * One process at a time, among all that know the same file. The lock is SQLite's own on an empty database, which the system
 * takes back from a process that dies.
 */
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as DataFolder from "@tongs/service/storage/DataFolder"

/** How often to look, and after how long one is told that another process is waited for, in milliseconds. */
const PAUSE = 25
const SECOND = 1_000

/** How long another process may take with credentials, in milliseconds. */
const PATIENCE = 35_000

interface Waiting {
  /** Milliseconds after which one goes on without. */
  readonly timeout: number
  /** Runs once where it takes longer than a second. */
  readonly onWait?: Effect.Effect<void>
}

/** Holds the lock for as long as the scope lasts. Where its file cannot be had, one goes on without. */
export const acquire = (
  path: string,
  { timeout: patience, onWait: tell = Effect.void }: Waiting
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      const start = yield* Clock.currentTimeMillis
      let isTold = false
      let held = yield* tryAcquire(path)
      while (held === "busy") {
        const waited = (yield* Clock.currentTimeMillis) - start
        if (waited >= patience) return
        if (waited >= SECOND && !isTold) {
          isTold = true
          yield* tell
        }
        yield* restore(Effect.sleep(PAUSE))
        held = yield* tryAcquire(path)
      }
      const lock = held
      yield* Effect.addFinalizer(() => Effect.sync(() => lock?.close()))
    })
  )

export const withLock =
  (path: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
    Effect.scoped(Effect.andThen(acquire(path, { timeout: PATIENCE }), self))

/**
 * The lock, which whoever got it closes; or that it is held, or that its file cannot be had. Many can share it, while
 * nobody has it alone.
 */
export const tryAcquire = (path: string, isShared = false): Effect.Effect<DatabaseSync | "busy" | undefined> =>
  Effect.promise(async () => {
    const { DatabaseSync } = await import("node:sqlite")
    try {
      DataFolder.make(dirname(path))
      const database = new DatabaseSync(path, { timeout: 0 })
      try {
        database.exec(isShared ? "BEGIN; SELECT * FROM sqlite_schema" : "BEGIN EXCLUSIVE")
        return database
      } catch (error) {
        database.close()
        throw error
      }
    } catch (error) {
      return isBusy(error) ? "busy" : undefined
    }
  })

/** Whether SQLite says that another process has the lock. */
export const isBusy = (error: unknown) => error instanceof Error && "errcode" in error && error.errcode === BUSY
const BUSY = 5
