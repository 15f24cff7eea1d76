/**
 * Files and folders of deleted repositories. The transaction that deletes a repository adds a row for each file and
 * folder, and `run` removes the files and folders, also after a restart. So a kill leaves either the whole repository
 * or only files to remove.
 */
import { existsSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeRows } from "../storage/RowDecoder.ts"

/** A file or folder to remove. */
export const Removal = Schema.Struct({
  /** Absolute path. */
  path: Schema.String,
  /** Digest of an archive of artifacts or of an asset. The file is kept while an artifact or asset uses it. */
  digest: Schema.NullOr(Schema.String)
})
export type Removal = typeof Removal.Type

const all = decodeRows(Removal)

export class Removals extends Context.Service<
  Removals,
  {
    /** Adds files and folders, in the transaction of the caller. */
    add(removals: ReadonlyArray<Removal>): Effect.Effect<void>
    /** True if the path still has files of a deleted repository. */
    has(path: string): Effect.Effect<boolean>
    /** Removes the files and folders. Logs each failure, and keeps the row for the next run. */
    readonly run: Effect.Effect<void>
  }
>()("@tongs/service/repositories/Removals") {
  static readonly layer = Layer.effect(
    Removals,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const isUsed = (digest: string) =>
        Effect.map(
          sql`
            SELECT 1 AS used FROM artifacts WHERE digest = ${digest}
            UNION ALL SELECT 1 FROM release_assets WHERE digest = ${digest} LIMIT 1`,
          (rows) => rows.length > 0
        )

      const remove = Effect.fnUntraced(function* ({ digest, path }: Removal) {
        if (digest === null || !(yield* isUsed(digest))) yield* Effect.tryPromise(() => removePath(path))
        yield* sql`DELETE FROM removals WHERE path = ${path}`
      })

      return Removals.of({
        add: (removals) =>
          Effect.orDie(
            Effect.forEach(
              removals,
              ({ digest, path }) => sql`
                INSERT INTO removals ${sql.insert({ path, digest })}
                ON CONFLICT (path) DO UPDATE SET digest = excluded.digest`,
              { discard: true }
            )
          ),
        has: (path) => Effect.map(all(sql`SELECT * FROM removals WHERE path = ${path}`), (rows) => rows.length > 0),
        run: Effect.gen(function* () {
          for (const removal of yield* all(sql`SELECT * FROM removals ORDER BY path`)) {
            // An upload in another process must not store the same archive in between.
            const removed = removal.digest === null ? remove(removal) : sql.withTransaction(remove(removal))
            yield* removed.pipe(
              Effect.catch((error) =>
                Effect.logWarning(`${removal.path} of a deleted repository is removed at the next start`, error)
              )
            )
          }
        })
      })
    })
  )
}

/** Renames the path first, so that no process finds half of a repository or adds files. */
const removePath = async (path: string) => {
  const aside = join(dirname(path), `.removed-${basename(path)}`)
  await rm(aside, { recursive: true, force: true, maxRetries: 3 })
  if (existsSync(path)) await rename(path, aside)
  await rm(aside, { recursive: true, force: true, maxRetries: 3 })
}
