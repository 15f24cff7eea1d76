/**
 * Answers kept in a SQLite file, which one process after another reads, and several at a time. The file is only its
 * owner's, and holds no token: a key is a digest. It is opened when it is first needed. Whatever is wrong with it costs
 * what was kept, and a warning; a file that is damaged is begun anew.
 */
import { createHash } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import type * as Sqlite from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ResponseStore, StoreBounds, CachedResponse } from "@tongs/core/client/ResponseStore"
import * as DataFolder from "@tongs/service/storage/DataFolder"

const defaultBounds: StoreBounds = { entries: 2_000, body: 1024 * 1024, total: 64 * 1024 * 1024 }

/** Milliseconds to wait for another process; an answer is not worth more. */
const patience = 250

const Row = Schema.Struct({
  etag: Schema.String,
  headers: Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)),
  body: Schema.declare((value): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array),
  at: Schema.Finite
})
const decode = Schema.decodeUnknownSync(Row)

/** The store at a path; its folder is made where there is none. The file closes with the scope. */
export const make = Effect.fnUntraced(function* (path: string, bounds: StoreBounds = defaultBounds) {
  let file: File | "broken" | undefined

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (typeof file === "object") file.close()
      file = "broken"
    })
  )

  const attempt = async <A>(use: (file: File) => A): Promise<A | undefined> => {
    file ??= open(path, bounds, await import("node:sqlite"))
    return file === "broken" ? undefined : use(file)
  }

  const access = <A>(use: (file: File) => A, again = true): Effect.Effect<A | undefined> =>
    Effect.tryPromise({ try: () => attempt(use), catch: problemOf }).pipe(
      Effect.catch((problem): Effect.Effect<A | undefined> => {
        if (problem.isBusy) return Effect.undefined
        const isDamaged = problem.isDamaged && again
        const said = isDamaged ? "it is begun anew" : "answers are not kept"
        return Effect.logWarning(`The cache of answers, ${path}, cannot be used: ${problem.detail}; ${said}`).pipe(
          Effect.andThen(
            Effect.sync(() => {
              if (typeof file === "object") file.close()
              if (isDamaged) remove(path)
              file = isDamaged ? undefined : "broken"
            })
          ),
          Effect.andThen(isDamaged ? access(use, false) : Effect.undefined)
        )
      })
    )

  return {
    get: (key) => access((file) => file.get(digest(key))),
    set: (key, kept) => Effect.asVoid(access((file) => file.set(digest(key), kept))),
    confirm: (key, kept, at) => Effect.asVoid(access((file) => file.confirm(digest(key), kept, at)))
  } satisfies ResponseStore
})

interface File {
  readonly get: (key: string) => CachedResponse | undefined
  readonly set: (key: string, kept: CachedResponse) => void
  readonly confirm: (key: string, kept: CachedResponse, at: number) => void
  readonly close: () => void
}

/** A key names a credential, if only by its fingerprint, and what was asked for: neither is anyone's business. */
const digest = (key: string) => createHash("sha256").update(key).digest("base64url")

const open = (path: string, bounds: StoreBounds, { DatabaseSync }: typeof Sqlite): File => {
  DataFolder.make(Path.dirname(path))
  // SQLite makes its files like this one.
  Fs.closeSync(Fs.openSync(path, "a", 0o600))
  Fs.chmodSync(path, 0o600)
  const database = new DatabaseSync(path, { timeout: patience })
  try {
    return prepare(database, bounds)
  } catch (error) {
    database.close()
    throw error
  }
}

/** The layout of the table: a file with another one is emptied. */
const layout = 1

const prepare = (database: Sqlite.DatabaseSync, { body, entries, total }: StoreBounds): File => {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
  if (database.prepare("PRAGMA user_version").get()?.["user_version"] !== layout) {
    database.exec(`
      BEGIN IMMEDIATE;
      DROP TABLE IF EXISTS answers;
      CREATE TABLE answers (
        key TEXT PRIMARY KEY, etag TEXT NOT NULL, headers TEXT NOT NULL, at REAL NOT NULL, bytes INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX answers_by_age ON answers (at, bytes);
      PRAGMA user_version = ${layout};
      COMMIT`)
  }
  const select = database.prepare("SELECT etag, headers, body, at FROM answers WHERE key = ?")
  const insert = database.prepare(
    "INSERT OR REPLACE INTO answers (key, etag, headers, at, bytes, body) VALUES (?, ?, ?, ?, ?, ?)"
  )
  const update = database.prepare("UPDATE answers SET at = ? WHERE key = ? AND etag = ?")
  const size = database.prepare("SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS total FROM answers")
  const forget = database.prepare("DELETE FROM answers WHERE key = (SELECT key FROM answers ORDER BY at LIMIT 1)")
  return {
    get: (key) => {
      const row = select.get(key)
      return row === undefined ? undefined : decode(row)
    },
    set: (key, kept) => {
      if (kept.body.byteLength > body) return
      insert.run(key, kept.etag, JSON.stringify(kept.headers), kept.at, kept.body.byteLength, kept.body)
      while (isOver(size, entries, total)) forget.run()
    },
    confirm: (key, { etag }, at) => void update.run(at, key, etag),
    close: () => database.close()
  }
}

const isOver = (size: Sqlite.StatementSync, entries: number, total: number) => {
  const now = size.get()
  return Number(now?.["entries"]) > entries || Number(now?.["total"]) > total
}

const remove = (path: string) => {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) Fs.rmSync(file, { force: true })
}

/** Primary result codes of SQLite. */
const [busy, locked, corrupt, notADatabase] = [5, 6, 11, 26]

const problemOf = (error: unknown) => {
  const code = typeof error === "object" && error !== null && "errcode" in error ? Number(error.errcode) & 0xff : 0
  return {
    detail: error instanceof Error ? error.message : String(error),
    isBusy: code === busy || code === locked,
    // A row that does not decode was not written here.
    isDamaged: code === corrupt || code === notADatabase || Schema.isSchemaError(error)
  }
}
