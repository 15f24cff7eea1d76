/**
 * The partial file of a download, `NAME.partial`, and the lock file `NAME.partial.lock`: an SQLite database that lets
 * one process at a time use the partial file, and records which version of the source the bytes came from. The
 * operating system releases the lock of a process that dies.
 */
import { rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ConnectionError } from "../base/ConnectionError.ts"
import * as FileLock from "../base/FileLock.ts"
import * as SqliteFile from "../base/SqliteFile.ts"

/** The source file of the received bytes, and its version. */
interface Version {
  /** Identifies the source file (`DownloadSource.file`). */
  readonly file: string
  /** The strong `ETag` of the source file. */
  readonly etag: string
}

/** A partial file that this process has locked. */
export interface PartialDownload {
  readonly path: string
  /** The recorded version, possibly from an earlier process. */
  readonly version: () => Version | undefined
  /** Records the version, or deletes the record. */
  readonly setVersion: (version: Version | undefined) => void
  /** Deletes the partial file and the recorded version. */
  readonly remove: Effect.Effect<void>
}

/**
 * Maximum number of attempts to open the lock file. An attempt fails if the previous process deletes the file at the
 * same time.
 */
const MAX_TRIES = 10

/**
 * Locks the partial file of `target` until the Effect scope closes. Fails with `InUse` if another process holds the
 * lock. Continues without a lock if the lock file cannot be created.
 */
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
      hint: "Wait until it finishes, or name another file"
    })
  }
  const version = () => (lock === undefined ? undefined : readVersion(lock))
  const setVersion = (version: Version | undefined) => {
    if (lock === undefined) return
    lock.exec("DELETE FROM version")
    if (version !== undefined) lock.prepare("INSERT INTO version VALUES (?, ?)").run(version.file, version.etag)
  }
  // On a full disk, the recorded version may remain, which is harmless without the partial file.
  const remove = Effect.andThen(
    Effect.ignore(Effect.tryPromise(() => rm(path, { force: true }))),
    Effect.ignore(Effect.try(() => setVersion(undefined)))
  )
  return { path, version, setVersion, remove }
})

const readVersion = (database: DatabaseSync): Version | undefined => {
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
        const code = SqliteFile.extendedCode(error)
        if (code === SqliteFile.codes.notADatabase) rmSync(path)
        else if (code !== SqliteFile.codes.moved) return undefined
      }
    }
    return undefined
  })

const open = (path: string) =>
  SqliteFile.prepare(new DatabaseSync(path, { timeout: 0 }), (database) => {
    // The first transaction takes the lock until the database closes. The transaction writes, in order to fail if the
    // file was deleted between opening and locking.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA synchronous = OFF;
      BEGIN EXCLUSIVE;
      CREATE TABLE IF NOT EXISTS version (file TEXT NOT NULL, etag TEXT NOT NULL) STRICT;
      PRAGMA user_version = ${process.pid};
      COMMIT`)
    return database
  })

/** Deletes the lock file while holding the lock, unless a version is recorded there. */
const release = (path: string, database: DatabaseSync) => {
  let isNeeded = true
  try {
    isNeeded = readVersion(database) !== undefined
    if (!isNeeded) rmSync(path)
    database.close()
  } catch {
    // Windows cannot delete an open file.
    database.close()
    if (!isNeeded) rmSync(path, { force: true })
  }
}
