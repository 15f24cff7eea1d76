/**
 * Caches responses in an SQLite file that processes share. Only the owner can read the file, and the keys are digests,
 * so the file contains no access token. Opens the file on first use. A failure never fails a request, but logs a
 * warning, and disables the cache or recreates a damaged file.
 */
import { createHash } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import type * as Sqlite from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ResponseStore, StoreBounds, CachedResponse } from "@tongs/core/client/ResponseStore"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { messageOf } from "../base/PlatformErrors.ts"
import * as SqliteFile from "../base/SqliteFile.ts"

const defaultBounds: StoreBounds = { entries: 2_000, body: 1024 * 1024, total: 64 * 1024 * 1024 }

/** Milliseconds to wait for another process's lock. A cached response is not worth a longer wait. */
const BUSY_TIMEOUT = 250

const Row = Schema.Struct({
  etag: Schema.String,
  headers: Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)),
  body: Schema.declare((value): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array),
  at: Schema.Finite
})
const decode = Schema.decodeUnknownSync(Row)

/** Creates a response cache in the file at `path`, and a missing folder. Closes the file with the Effect scope. */
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
        const consequence = isDamaged ? "It is recreated." : "Responses are not cached."
        return Effect.logWarning(`Cannot use the response cache ${path}: ${problem.detail}. ${consequence}`).pipe(
          Effect.andThen(
            Effect.sync(() => {
              if (typeof file === "object") file.close()
              if (isDamaged) SqliteFile.remove(path)
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

/** Hashes a cache key, because the credential fingerprint and the URL in a key must not be on the disk. */
const digest = (key: string) => createHash("sha256").update(key).digest("base64url")

const open = (path: string, bounds: StoreBounds, { DatabaseSync }: typeof Sqlite): File => {
  DataFolder.make(Path.dirname(path))
  // SQLite creates the journal with the mode of the database file.
  Fs.closeSync(Fs.openSync(path, "a", 0o600))
  Fs.chmodSync(path, 0o600)
  return SqliteFile.prepare(new DatabaseSync(path, { timeout: BUSY_TIMEOUT }), (database) => prepare(database, bounds))
}

/** The version of the table's schema. A file with another version is emptied. */
const SCHEMA_VERSION = 1

const prepare = (database: Sqlite.DatabaseSync, { body, entries, total }: StoreBounds): File => {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
  if (database.prepare("PRAGMA user_version").get()?.["user_version"] !== SCHEMA_VERSION) {
    database.exec(`
      BEGIN IMMEDIATE;
      DROP TABLE IF EXISTS answers;
      CREATE TABLE answers (
        key TEXT PRIMARY KEY, etag TEXT NOT NULL, headers TEXT NOT NULL, at REAL NOT NULL, bytes INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX answers_by_age ON answers (at, bytes);
      PRAGMA user_version = ${SCHEMA_VERSION};
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

const { busy, corrupt, locked, notADatabase } = SqliteFile.codes

const problemOf = (error: unknown) => {
  const code = SqliteFile.primaryCode(error)
  return {
    detail: messageOf(error),
    isBusy: code === busy || code === locked,
    // A row that cannot be decoded was damaged or written by another program.
    isDamaged: code === corrupt || code === notADatabase || Schema.isSchemaError(error)
  }
}
