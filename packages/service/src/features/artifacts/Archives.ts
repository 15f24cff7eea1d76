/** The zip files of artifacts: in a folder of the data folder, each named after its SHA-256. */
import { createHash, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { chmod, copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises"
import { extname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

/** A file cannot become an archive, or an archive cannot be kept. */
export class ArchiveFailed extends Schema.TaggedError<ArchiveFailed>()("ArchiveFailed", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.path}: ${this.detail}`
  }
}

/** A zip file that lies aside until it is kept. */
export interface Archive {
  /** SHA-256, in hexadecimal. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
  /** Puts it in its place. The same twice is there once. */
  readonly keep: Effect.Effect<void>
}

export class Archives extends Context.Service<
  Archives,
  {
    /** A zip file as it is; anything else, a folder too, is zipped. With the scope goes what was not kept. */
    make(source: string): Effect.Effect<Archive, ArchiveFailed, Scope.Scope>
    /** Where the archive of a digest lies. */
    path(digest: string): string
    /** Removes the archive; one that is not there is no failure. */
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
      Archives.of({ make, path, remove: (digest) => Effect.promise(() => rm(path(digest), { force: true })) })
    )
  }
}

const failed = (path: string) => (cause: unknown) =>
  new ArchiveFailed({ path, detail: cause instanceof Error ? cause.message : String(cause) })

/** Loaded when something is zipped: most forges are never given an artifact. */
const zip = async (source: string, target: string) => (await import("./Zip.ts")).write(source, target)

/** What every zip file begins with: an entry, or the end of an empty one. */
const signatures = ["504b0304", "504b0506"]

const copyZip = async (source: string, target: string) => {
  const file = await open(source)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (!signatures.includes(buffer.toString("hex"))) throw new Error("it is called .zip and is no zip file")
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
