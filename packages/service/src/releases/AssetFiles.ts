/** The files of assets of releases, in a subfolder of the data folder. The SHA-256 is the file name. */
import { createHash, randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Removal } from "../repositories/Removals.ts"
import { Durability } from "../storage/Durability.ts"
import * as Transaction from "../storage/Transaction.ts"
import { ReleaseAssetRows } from "./ReleaseAssetRows.ts"

/** A received file, until `keep` stores it. */
export interface ReceivedFile {
  /** SHA-256 in hexadecimal. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
  /** Stores the file. Equal files share one. */
  readonly keep: Effect.Effect<void>
}

/** Age in milliseconds after which an unused file is removed. An upload that runs writes more often. */
const MIN_AGE = 3_600_000

/** Maximum size of an asset by default, in bytes. */
const MAX_BYTES = 2 * 1024 ** 3

/** Stores the files of assets, and removes those that no asset has: at the start and every hour. */
export class AssetFiles extends Context.Service<
  AssetFiles,
  {
    /**
     * Writes a stream to a temporary file, of which closing the scope removes the rest. Memory does not grow with the
     * size. A full disk is a defect, which becomes a 507.
     */
    receive<E>(bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<ReceivedFile, E, Scope.Scope>
    /** Maximum size of a file, in bytes. */
    readonly maxBytes: number
    /** Path of the file with a digest. */
    path(digest: string): string
    /** Removes the files that no asset has any more. */
    removeUnused(digests: ReadonlyArray<string>): Effect.Effect<void>
    /** The files of a repository's releases, to remove with the repository. */
    ofRepository(repositoryId: number): Effect.Effect<ReadonlyArray<Removal>>
  }
>()("@tongs/service/releases/AssetFiles") {
  /** `maxBytes` is the maximum size of an asset, 2 GiB by default as on GitHub. */
  static readonly layer = (data: string, maxBytes = MAX_BYTES) =>
    Layer.effect(
      AssetFiles,
      Effect.gen(function* () {
        const folder = join(data, "release-assets")
        const path = (digest: string) => join(folder, digest)
        const rows = yield* ReleaseAssetRows
        const transaction = yield* Transaction.make

        const receive = Effect.fn("AssetFiles.receive")(function* <E>(bytes: Stream.Stream<Uint8Array, E>) {
          const temporary = join(folder, `${randomUUID()}.part`)
          const opened = Effect.promise(async () => {
            await mkdir(folder, { recursive: true, mode: 0o700 })
            return open(temporary, "wx", 0o600)
          })
          yield* Effect.addFinalizer(() => Effect.promise(() => rm(temporary, { force: true })))
          const file = yield* Effect.acquireRelease(opened, (file) => Effect.promise(() => file.close()))
          const sha256 = createHash("sha256")
          let size = 0
          yield* Stream.runForEach(bytes, (chunk) =>
            Effect.promise(async () => {
              sha256.update(chunk)
              size += chunk.length
              await file.writeFile(chunk)
            })
          )
          if (yield* Durability) yield* Effect.promise(() => file.datasync())
          const digest = sha256.digest("hex")
          return { digest, size, keep: Effect.promise(() => rename(temporary, path(digest))) }
        })

        const removeUnused = Effect.fn("AssetFiles.removeUnused")(function* (digests: ReadonlyArray<string>) {
          for (const digest of digests) {
            // First without a transaction: most files of a sweep are in use, and transactions wait for each other.
            if (yield* rows.isReferenced(digest)) continue
            yield* transaction(
              Effect.gen(function* () {
                if (yield* rows.isReferenced(digest)) return
                yield* Effect.promise(() => rm(path(digest), { force: true }))
              })
            )
          }
        })

        const oldFiles = Effect.fnUntraced(function* () {
          const now = yield* Clock.currentTimeMillis
          return yield* Effect.promise(async () => {
            const names = await readdir(folder).catch(() => [])
            const facts = await Promise.all(
              names.map(async (name) => ({
                name,
                age: now - ((await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? now)
              }))
            )
            return facts.filter(({ age }) => age > MIN_AGE).map(({ name }) => name)
          })
        })

        /** Removes what interrupted uploads and deletions left behind. */
        const sweep = Effect.gen(function* () {
          const names = yield* oldFiles()
          for (const name of names.filter((one) => one.endsWith(".part")))
            yield* Effect.promise(() => rm(join(folder, name), { force: true }))
          yield* removeUnused(names.filter((one) => /^[0-9a-f]{64}$/.test(one)))
        }).pipe(
          Effect.catchCause((cause) => Effect.logWarning("unused assets of releases could not be removed", cause))
        )
        yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 hour")))

        return AssetFiles.of({
          receive,
          maxBytes,
          path,
          removeUnused,
          ofRepository: (repositoryId) =>
            Effect.map(rows.digests({ repositoryId }), (digests) =>
              digests.map((digest) => ({ path: path(digest), digest }))
            )
        })
      })
    )
}
