/**
 * A download to a file, all of it or nothing. What is there so far lies beside it, in `NAME.partial`, and the next download
 * goes on from there, where a digest can tell in the end that it was the beginning of the same file; the file has its name
 * when every byte is there, is on the disk, and is what the digest says.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { UnexpectedResponse } from "@tongs/core/contract/Failure"
import { ConnectionError } from "./ConnectionError.ts"

export interface Source<E> {
  /** The request, as failures call it. */
  readonly request: string
  /** The bytes of the file from an offset on. */
  readonly bytes: (offset: number) => Stream.Stream<Uint8Array, E>
  /** In bytes, as far as one knows: what is there already and larger is the beginning of another file. */
  readonly size: number | undefined
  /** `sha256:<hex>` of the whole; without one, nothing is verified. */
  readonly digest: string | undefined
}

export interface Saved {
  /** In bytes. */
  readonly size: number
  /** `sha256:<hex>` of the whole. */
  readonly digest: string
  /** Bytes that were there from an earlier download. */
  readonly resumed: number
}

/** Saves to `path`, and replaces what is there. */
export const save = Effect.fn("DownloadFile.save")(function* <E>(source: Source<E>, path: string) {
  if (source.digest === undefined) yield* disk(path, () => rm(`${path}.partial`, { force: true }))
  const first = yield* fill(source, `${path}.partial`)
  // What was there may have been the beginning of another file.
  const isOther = !isRight(first.digest, source.digest) && first.resumed > 0
  const saved = isOther
    ? yield* Effect.andThen(
        disk(path, () => rm(`${path}.partial`)),
        fill(source, `${path}.partial`)
      )
    : first
  if (!isRight(saved.digest, source.digest)) {
    yield* disk(path, () => rm(`${path}.partial`))
    return yield* mismatch(source, saved.digest)
  }
  yield* disk(path, () => rename(`${path}.partial`, path))
  // The name, too, is on the disk only then. Not every system can be asked for that.
  yield* Effect.ignore(disk(path, () => sync(dirname(path))))
  return saved
})

/** The bytes as they come, and a failure at their end where they are not what the digest says. */
export const verified = <E>(source: Source<E>): Stream.Stream<Uint8Array, E | UnexpectedResponse> =>
  Stream.suspend(() => {
    const hash = createHash("sha256")
    const end = Effect.suspend(() => {
      const digest = `sha256:${hash.digest("hex")}`
      return isRight(digest, source.digest) ? Effect.void : mismatch(source, digest)
    })
    return source.bytes(0).pipe(
      Stream.tap((piece) => Effect.sync(() => hash.update(piece))),
      Stream.concat(Stream.drain(Stream.fromEffect(end)))
    )
  })

const isRight = (digest: string, wanted: string | undefined) => wanted === undefined || digest === wanted.toLowerCase()

const mismatch = <E>({ digest, request }: Source<E>, found: string) =>
  Effect.fail(
    new UnexpectedResponse({ request, detail: `a file whose digest is ${found}, and not ${digest}`, status: 200 })
  )

/** Adds what is missing to a file, and gives the digest of all of it. */
const fill = Effect.fnUntraced(function* <E>({ bytes, size: wanted = Infinity }: Source<E>, path: string) {
  const hash = createHash("sha256")
  const resumed = yield* disk(path, async () => {
    const size = await sizeOf(path)
    if (size > wanted) {
      await rm(path)
      return 0
    }
    if (size > 0) await pipeline(createReadStream(path), hash, { end: false })
    return size
  })
  let size = resumed
  yield* Effect.acquireUseRelease(
    disk(path, () => open(path, "a")),
    (file) =>
      Stream.runForEach(bytes(resumed), (piece) => {
        size += piece.length
        hash.update(piece)
        return disk(path, () => writeAll(file, piece))
      }).pipe(Effect.andThen(disk(path, () => file.sync()))),
    (file) => Effect.ignore(disk(path, () => file.close()))
  )
  return { size, digest: `sha256:${hash.digest("hex")}`, resumed } satisfies Saved
})

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? 0 : Promise.reject(error))
  )

const writeAll = async (file: FileHandle, bytes: Uint8Array) => {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

const sync = async (folder: string) => {
  await using handle = await open(folder)
  await handle.sync()
}

const disk = <A>(path: string, action: () => Promise<A>): Effect.Effect<A, ConnectionError> =>
  Effect.tryPromise({
    try: action,
    catch: (cause) =>
      new ConnectionError({
        reason: "StorageFailed",
        detail: `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
        hint: "Check the folder, and the room on its disk; what is there so far is kept"
      })
  })
