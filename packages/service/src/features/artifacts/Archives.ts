/** Zip files of artifacts, in a subfolder of the data folder. The SHA-256 is the file name. */
import { createHash, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { extname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

/** An archive could not be created or stored. */
export class ArchiveFailed extends Schema.TaggedError<ArchiveFailed>()("ArchiveFailed", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.path}: ${this.detail}`
  }
}

/** A temporary zip file, until `keep` stores it. */
export interface Archive {
  /** SHA-256 in hexadecimal. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
  /** Stores the archive. Equal archives share one file. */
  readonly keep: Effect.Effect<void>
}

/** Zip archives in the data folder. */
export class Archives extends Context.Service<
  Archives,
  {
    /** Copies a zip file, or zips a file or folder. Closing the scope removes an archive that was not stored. */
    make(source: string): Effect.Effect<Archive, ArchiveFailed, Scope.Scope>
    /** Path of the archive with a digest. */
    path(digest: string): string
    /** The digests of all archives. */
    readonly digests: Effect.Effect<ReadonlySet<string>>
    /** Removes the archive, if present. */
    remove(digest: string): Effect.Effect<void>
  }
>()("@tongs/service/features/artifacts/Archives") {
  static readonly layer = (data: string) => {
    const folder = join(data, "artifacts")
    const path = (digest: string) => join(folder, `${digest}.zip`)

    const write = async (source: string, aside: string) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const isZip = extname(source).toLowerCase() === ".zip" && (await stat(source)).isFile()
      await (isZip ? copyZip(source, aside) : zip(source, aside))
      return { digest: await digestOf(aside), size: (await stat(aside)).size }
    }

    const make = Effect.fn("Archives.make")(function* (source: string) {
      const aside = join(folder, `${randomUUID()}.part`)
      yield* Effect.addFinalizer(() => Effect.promise(() => rm(aside, { force: true })))
      const { digest, size } = yield* Effect.tryPromise({ try: () => write(source, aside), catch: failed(source) })
      return { digest, size, keep: Effect.promise(() => rename(aside, path(digest))) }
    })

    return Layer.succeed(
      Archives,
      Archives.of({
        make,
        path,
        digests: Effect.map(
          Effect.promise(() => readdir(folder).catch(() => [])),
          (names) => new Set(names.flatMap((name) => /^([0-9a-f]{64})\.zip$/.exec(name)?.[1] ?? []))
        ),
        remove: (digest) => Effect.promise(() => rm(path(digest), { force: true }))
      })
    )
  }
}

const failed = (path: string) => (cause: unknown) =>
  new ArchiveFailed({ path, detail: cause instanceof Error ? cause.message : String(cause) })

/** Loads the zip library on first use, because most forges have no artifacts. */
const zip = async (source: string, target: string) => (await import("./Zip.ts")).write(source, target)

/** First bytes of a zip file: an entry, or the end of an empty archive. */
const signatures = ["504b0304", "504b0506"]

const copyZip = async (source: string, target: string) => {
  const file = await open(source)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (!signatures.includes(buffer.toString("hex"))) throw new Error("not a zip file, despite its .zip extension")
  } finally {
    await file.close()
  }
  await copyFile(source, target)
  await chmod(target, 0o600)
}

const digestOf = async (path: string) => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}
