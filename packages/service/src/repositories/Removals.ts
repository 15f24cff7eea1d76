/**
 * Files and folders of deleted repositories. The transaction that deletes a repository adds a row for each file and
 * folder, and `run` removes the files and folders, also after a restart. So a kill leaves either the whole repository
 * or only files to remove. Several processes can run `run` at the same time.
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

      const has = (path: string) =>
        Effect.map(all(sql`SELECT * FROM removals WHERE path = ${path}`), (rows) => rows.length > 0)

      const forget = (path: string) => sql`DELETE FROM removals WHERE path = ${path}`

      /**
       * Removes a path. Renames it first, so that no process finds half of a repository or adds files. The row is read
       * again in the transaction of the rename: another process may have removed the path, and a new repository has it.
       */
      const removeFolder = Effect.fnUntraced(function* (path: string) {
        const aside = join(dirname(path), `.removed-${basename(path)}`)
        yield* removeAll(aside)
        const hide = Effect.gen(function* () {
          if (!(yield* has(path))) return false
          yield* Effect.tryPromise(async () => {
            if (existsSync(path)) await rename(path, aside)
          })
          return true
        })
        if (!(yield* sql.withTransaction(hide))) return
        yield* removeAll(aside)
        yield* forget(path)
      })

      /** Removes a file that artifacts or assets share, in a transaction, so that none is added in between. */
      const removeShared = Effect.fnUntraced(function* (path: string, digest: string) {
        if (!(yield* has(path))) return
        if (!(yield* isUsed(digest))) yield* removeAll(path)
        yield* forget(path)
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
        has,
        run: Effect.gen(function* () {
          for (const { digest, path } of yield* all(sql`SELECT * FROM removals ORDER BY path`)) {
            const removed = digest === null ? removeFolder(path) : sql.withTransaction(removeShared(path, digest))
            yield* removed.pipe(
              Effect.catch((error) =>
                Effect.logWarning(`${path} of a deleted repository is removed at the next start`, error)
              )
            )
          }
        })
      })
    })
  )
}

const removeAll = (path: string) => Effect.tryPromise(() => rm(path, { recursive: true, force: true, maxRetries: 3 }))
