/**
 * Budgets in an SQLite file: many processes on one machine.
 *
 * **Details**
 *
 * The file may be deleted at any time, and may break: then a new one is begun, with a warning where it was broken. It is
 * there for the owner alone (0600), since it tells what they are doing.
 */
import { chmodSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { type HolderRecord, type BudgetRecord, type BudgetBackend, BudgetBackendFailed } from "./BudgetBackend.ts"

/** How long a statement waits for another process, in milliseconds: all that any of them does takes less than one. */
const BUSY = 1_000

/** How often one looks whether the file is still the same, in milliseconds. */
const LOOK = 200

/** Scopes and processes that nobody has written of for so long are forgotten, in milliseconds. */
const FORGET = 7_200_000

interface Open {
  readonly database: DatabaseSync
  readonly inode: bigint
  readonly read: StatementSync
  readonly insert: StatementSync
  readonly replace: StatementSync
  readonly announce: StatementSync
  readonly announced: StatementSync
}

const schema = `
  CREATE TABLE IF NOT EXISTS budgets (scope TEXT PRIMARY KEY, version TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS holders (scope TEXT, holder TEXT, body TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (scope, holder)) STRICT`

const open = (file: string, now: number): Open => {
  DataFolder.make(dirname(file))
  const database = new DatabaseSync(file, { timeout: BUSY })
  try {
    chmodSync(file, 0o600)
    // A journal instead of a log: whoever writes looks at the file itself, and so sees at once when it is broken. Not on
    // the disk at once: after a crash of the machine the counts begin anew, after one of a process they do not.
    database.exec(`PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF; ${schema}`)
    database.prepare("DELETE FROM budgets WHERE at < ?").run(now - FORGET)
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
  } catch (error) {
    database.close()
    throw error
  }
}

const inodeOf = (file: string): bigint => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? -1n

/** Results of SQLite that say that the file is gone, no database, or a broken one, or lacks what ours has. */
const BROKEN: ReadonlySet<number> = new Set([1, 8, 10, 11, 26])

/** What SQLite threw. */
class Failed {
  readonly detail: string
  readonly isBroken: boolean
  constructor(cause: unknown) {
    this.detail = cause instanceof Error ? cause.message : String(cause)
    this.isBroken = cause instanceof Error && "errcode" in cause && BROKEN.has(Number(cause.errcode) & 0xff)
  }
}

/** A file and all that SQLite keeps beside it. */
const remove = (file: string) => {
  for (const suffix of ["", "-journal"]) rmSync(file + suffix, { force: true })
}

export const make = (file: string) =>
  Effect.gen(function* () {
    let current: Open | undefined
    let lookedAt = 0

    const close = () => {
      try {
        current?.database.close()
      } catch {
        // A broken file: there is nothing left in it to be lost.
      }
      current = undefined
    }

    /** Whether the file is gone, or another has taken its place. */
    const isGone = (now: number) => {
      if (current === undefined || Math.abs(now - lookedAt) < LOOK) return false
      lookedAt = now
      return inodeOf(file) !== current.inode
    }

    const attempt = <A>(use: (open: Open, now: number) => A, now: number) =>
      Effect.try({ try: () => use((current ??= open(file, now)), now), catch: (cause) => new Failed(cause) })

    /** Begins anew: with the file that another process has made meanwhile, else with none. */
    const renew = (detail: string) =>
      Effect.suspend(() => {
        const inode = inodeOf(file)
        const isOurs = current === undefined || inode === current.inode
        close()
        if (isOurs || inode === -1n) remove(file)
        return Effect.logWarning(`The budgets in ${file} ${detail}; this process goes on with what it knows of them.`)
      })

    const use = Effect.fnUntraced(function* <A>(f: (open: Open, now: number) => A) {
      const now = yield* Clock.currentTimeMillis
      if (isGone(now)) yield* renew("are gone")
      return yield* attempt(f, now).pipe(
        Effect.catchIf(
          ({ isBroken }) => isBroken,
          ({ detail }) => Effect.andThen(renew(`cannot be read (${detail})`), attempt(f, now))
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
