/** Creates the data folder of a forge from a backup. */
import { readdirSync } from "node:fs"
import { copyFile, link, unlink } from "node:fs/promises"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as DataFolder from "../DataFolder.ts"
import * as DatabaseMark from "../DatabaseMark.ts"
import { MANIFEST, manifestOf } from "./Backup.ts"
import { CopyFailed } from "./CopyStore.ts"
import { flush } from "../../base/Flush.ts"
import * as FileCopy from "./FileCopy.ts"

export interface Options {
  readonly from: string
  /** The data folder to create, which must be missing or empty. */
  readonly data: string
}

export interface Result {
  readonly files: number
  readonly bytes: number
}

/** The rows under another name, until all files are there. */
const UNFINISHED = "forge.db.restoring"

/** The mark that no forge without another database accepts, until the rows are there. */
const MARK = "an unfinished restore"

/** Copies the backup. Forges refuse the folder before its rows, which come last, and never replace those of a forge. */
export const run = Effect.fn("Restore.run")(function* (options: Options): Effect.fn.Return<Result, CopyFailed> {
  const [from, data] = [resolve(options.from), resolve(options.data)]
  const manifest = yield* manifestOf(from)
  const copy = FileCopy.make(from, data, undefined)
  yield* Effect.try({
    try: () => {
      DataFolder.make(data)
      return readdirSync(data)
    },
    catch: failed(data, "Correct the cause and run the command again")
  }).pipe(Effect.flatMap((names) => checkEmpty(data, names)))
  yield* Effect.mapError(DatabaseMark.write(data, MARK), failed(data))
  yield* Effect.tryPromise({
    try: async () => {
      const [unfinished, rows] = [join(data, UNFINISHED), join(data, "forge.db")]
      await copy.folder("", (name) => name !== MANIFEST && name !== "forge.db")
      await copyFile(join(from, "forge.db"), unfinished)
      move(unfinished, manifest.data, data)
      await flush(unfinished)
      await copy.flush(data)
      // Unlike a rename, a link replaces no file.
      await link(unfinished, rows).catch((cause: unknown) => {
        throw FileCopy.isCode(cause, "EEXIST") ? new Error("a forge was started there meanwhile; stop it") : cause
      })
      await unlink(unfinished)
    },
    catch: failed(data)
  })
  yield* Effect.mapError(DatabaseMark.remove(data), failed(data))
  yield* Effect.tryPromise({ try: () => flush(data), catch: failed(data) })
  return { files: copy.counts.copied, bytes: copy.counts.bytes }
})

const failed =
  (data: string, hint = "Correct the cause, delete what the restore left there, and run the command again") =>
  (cause: unknown) =>
    new CopyFailed({ detail: `${data}: ${cause instanceof Error ? cause.message : String(cause)}`, hint })

/** Checks that a folder has no files. SQLite would apply an old `forge.db-wal` to the restored rows. */
const checkEmpty = (data: string, names: ReadonlyArray<string>): Effect.Effect<void, CopyFailed> => {
  // The folder of a file system's check, at the top of a disk.
  const found = names.filter((name) => name !== "lost+found")
  if (found.length === 0) return Effect.void
  const mark = DatabaseMark.read(data)
  if (found.includes("forge.db") || (mark !== undefined && mark !== MARK)) {
    return new CopyFailed({ detail: `${data} has a forge already`, hint: "Name a new folder with --data" })
  }
  return new CopyFailed({
    detail: `${data} is not empty: it has ${found.slice(0, 3).join(", ")}${found.length > 3 ? " and more" : ""}`,
    hint: "Name a new folder with --data, or delete what is in this one, for example after an interrupted restore"
  })
}

/** Replaces the path of the data folder in the rows. */
const move = (file: string, before: string, after: string) => {
  const database = new DatabaseSync(file)
  try {
    database.exec("BEGIN IMMEDIATE")
    for (const [table, column] of [
      ["repositories", "git"],
      ["removals", "path"]
    ] as const) {
      const isInside = `substr(${column}, 1, length(?1) + 1) = ?1 || '/'`
      // Files outside of the data folder are not those of the backup.
      if (table === "removals") database.prepare(`DELETE FROM removals WHERE NOT (${isInside})`).run(before)
      database
        .prepare(`UPDATE ${table} SET ${column} = ?2 || substr(${column}, length(?1) + 1) WHERE ${isInside}`)
        .run(before, after)
    }
    database.exec("COMMIT")
  } finally {
    database.close()
  }
}
