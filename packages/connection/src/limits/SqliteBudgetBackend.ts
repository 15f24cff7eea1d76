/**
 * Stores rate-limit budgets in an SQLite file, for processes on one machine.
 *
 * **Details**
 *
 * The file may be deleted at any time. A corrupt file is replaced, with a warning. Only the owner can read the file
 * (0600), because budgets reveal the user's requests.
 */
import { chmodSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { messageOf } from "../base/PlatformErrors.ts"
import * as SqliteFile from "../base/SqliteFile.ts"
import { type HolderRecord, type BudgetRecord, type BudgetBackend, BudgetBackendFailed } from "./BudgetBackend.ts"

/** Milliseconds that a statement waits for the lock of another process. A statement takes less than a millisecond. */
const BUSY_TIMEOUT = 1_000

/** Milliseconds between two checks for a deleted or replaced file. */
const CHECK_INTERVAL = 200

/** Milliseconds after which an unused budget is deleted: longer than any rate-limit window. */
const EXPIRY = 7_200_000

interface Open {
  readonly database: DatabaseSync
  readonly inode: bigint
  readonly read: StatementSync
  readonly insert: StatementSync
  readonly replace: StatementSync
  readonly announce: StatementSync
  readonly announced: StatementSync
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS budgets (scope TEXT PRIMARY KEY, version TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS holders (scope TEXT, holder TEXT, body TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (scope, holder)) STRICT`

const open = (file: string, now: number): Open => {
  DataFolder.make(dirname(file))
  return SqliteFile.prepare(new DatabaseSync(file, { timeout: BUSY_TIMEOUT }), (database) => {
    chmodSync(file, 0o600)
    // With a rollback journal, unlike a write-ahead log, each write reads the database file, and so detects corruption.
    // Without syncing, the budgets survive the crash of a process, but not the crash of the machine.
    database.exec(`PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF; ${SCHEMA}`)
    database.prepare("DELETE FROM budgets WHERE at < ?").run(now - EXPIRY)
    database.prepare("DELETE FROM holders WHERE until < ?").run(now)
    return {
      database,
      inode: inodeOf(file),
      read: database.prepare("SELECT version, body FROM budgets WHERE scope = ?"),
      insert: database.prepare(
        "INSERT INTO budgets (scope, version, body, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
      ),
      replace: database.prepare("UPDATE budgets SET version = ?, body = ?, at = ? WHERE scope = ? AND version = ?"),
      announce: database.prepare("INSERT OR REPLACE INTO holders (scope, holder, body, until) VALUES (?, ?, ?, ?)"),
      announced: database.prepare("SELECT holder, body, until FROM holders WHERE scope = ?")
    }
  })
}

const inodeOf = (file: string): bigint => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? -1n

const { corrupt, error, ioError, notADatabase, readOnly } = SqliteFile.codes

/** Result codes for a file that was deleted, is corrupt, is not a database or lacks a table. */
const unusable: ReadonlySet<number> = new Set([error, readOnly, ioError, corrupt, notADatabase])

const failed = (cause: unknown) => ({
  detail: messageOf(cause),
  isUnusable: unusable.has(SqliteFile.primaryCode(cause))
})

/** Creates the backend for a file. Creates a missing file, and closes the file with the Effect scope. */
export const make = (file: string) =>
  Effect.gen(function* () {
    let current: Open | undefined
    let checkedAt = 0

    const close = () => {
      try {
        current?.database.close()
      } catch {
        // Closing a corrupt file, whose content is not needed, can fail.
      }
      current = undefined
    }

    /** Returns true if the file was deleted or replaced. */
    const isReplaced = (now: number) => {
      if (current === undefined || Math.abs(now - checkedAt) < CHECK_INTERVAL) return false
      checkedAt = now
      return inodeOf(file) !== current.inode
    }

    const attempt = <A>(use: (open: Open, now: number) => A, now: number) =>
      Effect.try({ try: () => use((current ??= open(file, now)), now), catch: failed })

    /** Closes the file, then deletes the file unless another process has already replaced it. */
    const reset = (detail: string) =>
      Effect.suspend(() => {
        const inode = inodeOf(file)
        const isOurs = current === undefined || inode === current.inode
        close()
        if (isOurs || inode === -1n) SqliteFile.remove(file)
        return Effect.logWarning(
          `The rate-limit budgets in ${file} ${detail}. This process continues with the budgets it last read.`
        )
      })

    const use = Effect.fnUntraced(function* <A>(f: (open: Open, now: number) => A) {
      const now = yield* Clock.currentTimeMillis
      if (isReplaced(now)) yield* reset("were deleted")
      return yield* attempt(f, now).pipe(
        Effect.catchIf(
          ({ isUnusable }) => isUnusable,
          ({ detail }) => Effect.andThen(reset(`cannot be read (${detail})`), attempt(f, now))
        ),
        Effect.mapError(({ detail }) => new BudgetBackendFailed({ detail: `${file}: ${detail}` }))
      )
    })

    yield* Effect.addFinalizer(() => Effect.sync(close))

    return {
      description: `the file ${file}`,
      clockOffset: () => 0,
      compareAndSet: (scope, known, next) =>
        use(({ insert, read, replace }, now): BudgetRecord | undefined => {
          if (next !== undefined) {
            const { changes } =
              known === ""
                ? insert.run(scope, next.version, next.body, now)
                : replace.run(next.version, next.body, now, scope, known)
            if (Number(changes) === 1) return undefined
          }
          const row = read.get(scope)
          if (row === undefined) return known === "" ? undefined : { version: "", body: "" }
          const version = String(row["version"])
          return next === undefined && version === known ? undefined : { version, body: String(row["body"]) }
        }),
      putHolder: (scope, { body, holder, until }) =>
        use(({ announce }) => void announce.run(scope, holder, body, Math.ceil(until))),
      holders: (scope) =>
        use(({ announced }) =>
          announced.all(scope).map(({ body, holder, until }): HolderRecord => ({
            holder: String(holder),
            body: String(body),
            until: Number(until)
          }))
        )
    } satisfies BudgetBackend
  })
