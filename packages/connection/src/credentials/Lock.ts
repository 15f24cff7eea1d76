/**
 * One process at a time, among all that know the same file. The lock is SQLite's own on an empty database, which the system
 * takes back from a process that dies.
 */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** How long to wait for another process, and how often to look meanwhile, in milliseconds. */
const PATIENCE = 35_000
const PAUSE = 25

/** Where the file cannot be had, or another process holds it for too long, one goes on without. */
export const exclusively =
  (path: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        const until = (yield* Clock.currentTimeMillis) + PATIENCE
        let held = yield* attempt(path)
        while (held === "busy" && (yield* Clock.currentTimeMillis) < until) {
          yield* restore(Effect.sleep(PAUSE))
          held = yield* attempt(path)
        }
        const lock = held
        return yield* Effect.ensuring(
          restore(self),
          Effect.sync(() => typeof lock === "object" && lock.close())
        )
      })
    )

const attempt = (path: string) =>
  Effect.promise(async () => {
    const { DatabaseSync } = await import("node:sqlite")
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const database = new DatabaseSync(path, { timeout: 0 })
      try {
        database.exec("BEGIN EXCLUSIVE")
        return database
      } catch (error) {
        database.close()
        throw error
      }
    } catch (error) {
      return error instanceof Error && "errcode" in error && error.errcode === BUSY ? "busy" : undefined
    }
  })

/** SQLite's result where another process has the lock. */
const BUSY = 5
