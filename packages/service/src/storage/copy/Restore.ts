/** Creates the data folder of a forge from a backup. */
import { existsSync } from "node:fs"
import { copyFile, rename } from "node:fs/promises"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as DataFolder from "../DataFolder.ts"
import * as DatabaseMark from "../DatabaseMark.ts"
import { MANIFEST, manifestOf } from "./Backup.ts"
import { CopyFailed } from "./CopyStore.ts"
import * as FileCopy from "./FileCopy.ts"

export interface Options {
  readonly from: string
  /** The data folder to create, which must be missing or have no forge. */
  readonly data: string
}

export interface Result {
  readonly files: number
  readonly bytes: number
}

/** The rows under another name, until all files are there. */
const UNFINISHED = "forge.db.restoring"

/** Copies the backup. The rows come last, so that no forge starts on half of the files. */
export const run = Effect.fn("Restore.run")(function* (options: Options): Effect.fn.Return<Result, CopyFailed> {
  const [from, data] = [resolve(options.from), resolve(options.data)]
  const manifest = yield* manifestOf(from)
  if (existsSync(join(data, "forge.db")) || DatabaseMark.read(data) !== undefined) {
    return yield* new CopyFailed({ detail: `${data} has a forge already`, hint: "Name a new folder with --data" })
  }
  const copy = FileCopy.make(from, data, undefined)
  yield* Effect.tryPromise({
    try: async () => {
      DataFolder.make(data)
      await copy.folder("", (name) => name !== MANIFEST && name !== "forge.db")
      await copyFile(join(from, "forge.db"), join(data, UNFINISHED))
      move(join(data, UNFINISHED), manifest.data, data)
      await rename(join(data, UNFINISHED), join(data, "forge.db"))
    },
    catch: (cause) =>
      new CopyFailed({
        detail: `${data}: ${cause instanceof Error ? cause.message : String(cause)}`,
        hint: "Correct the cause and run the command again"
      })
  })
  return { files: copy.counts.copied, bytes: copy.counts.bytes }
})

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
