/**
 * What there is so far of a file that is being saved: `NAME.partial`, and `NAME.partial.lock`, by which one process at a
 * time has it and the next knows what its bytes are of. The lock is SQLite's, which the system takes back from a process
 * that dies.
 */
import { rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ConnectionError } from "../base/ConnectionError.ts"
import * as FileLock from "../base/FileLock.ts"

/** Which file the bytes are of, and which version of it. */
interface Version {
  /** Names the file among all that could be saved here. */
  readonly file: string
  /** A strong `ETag`. */
  readonly etag: string
}

export interface PartialDownload {
  readonly path: string
  /** What was noted last, by this process or one before it. */
  readonly version: () => Version | undefined
  readonly setVersion: (version: Version | undefined) => void
  /** To be called when nothing of it is wanted any more. */
  readonly remove: Effect.Effect<void>
}

/** How often the lock is tried for anew, because the process before has taken it away meanwhile. */
const MAX_TRIES = 10

/** Has what there is of a file, alone, as long as the scope lasts. Where there can be no lock, one goes on without. */
export const acquire = Effect.fnUntraced(function* (
  target: string
): Effect.fn.Return<PartialDownload, ConnectionError, Scope.Scope> {
  const path = `${target}.partial`
  const lock = yield* Effect.acquireRelease(attempt(`${path}.lock`), (lock) =>
    Effect.sync(() => typeof lock === "object" && release(`${path}.lock`, lock))
  )
  if (lock === "busy") {
    return yield* new ConnectionError({
      reason: "InUse",
      detail: `Another process is saving to ${target}`,
      hint: "Wait until it is done, or name another file"
    })
  }
  const version = () => (lock === undefined ? undefined : noted(lock))
  const note = (version: Version | undefined) => {
    if (lock === undefined) return
    lock.exec("DELETE FROM version")
    if (version !== undefined) lock.prepare("INSERT INTO version VALUES (?, ?)").run(version.file, version.etag)
  }
  // Without its bytes, what is noted of them does no harm, should a full disk keep it.
  const remove = Effect.andThen(
    Effect.ignore(Effect.tryPromise(() => rm(path, { force: true }))),
    Effect.ignore(Effect.try(() => note(undefined)))
  )
  return { path, version, setVersion: note, remove }
})

const noted = (database: DatabaseSync): Version | undefined => {
  const row = database.prepare("SELECT file, etag FROM version").get()
  return row === undefined ? undefined : { file: String(row["file"]), etag: String(row["etag"]) }
}

const attempt = (path: string): Effect.Effect<DatabaseSync | "busy" | undefined> =>
  Effect.sync(() => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      try {
        return open(path)
      } catch (error) {
        if (FileLock.isBusy(error)) return "busy"
        const code = error instanceof Error && "errcode" in error ? error.errcode : undefined
        if (code === NOT_A_DATABASE) rmSync(path)
        else if (code !== MOVED) return undefined
      }
    }
    return undefined
  })

/** Results of SQLite: what is there is something else; it has another name by now, or none. */
const NOT_A_DATABASE = 26
const MOVED = 1032

const open = (path: string) => {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // The lock stays from the first transaction on. That one writes, and so finds out whether the file was taken away
    // between its opening and the lock.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA synchronous = OFF;
      BEGIN EXCLUSIVE;
      CREATE TABLE IF NOT EXISTS version (file TEXT NOT NULL, etag TEXT NOT NULL) STRICT;
      PRAGMA user_version = ${process.pid};
      COMMIT`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Takes the lock's file away while it is held, unless it has something to say. */
const release = (path: string, database: DatabaseSync) => {
  let isWanted = true
  try {
    isWanted = noted(database) !== undefined
    if (!isWanted) rmSync(path)
    database.close()
  } catch {
    // Not every system removes a file that is open.
    database.close()
    if (!isWanted) rmSync(path, { force: true })
  }
}
