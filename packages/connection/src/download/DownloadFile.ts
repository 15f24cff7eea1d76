/**
 * A download to a file, all of it or nothing. What is there so far lies beside it (`Partial`), and the next download goes on
 * from there, where a digest can tell in the end that it was the beginning of the same file, or the file's host tells one
 * version from another. The file has its name when every byte is there, is on the disk, and is what the digest says.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, rename, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { DownloadOptions, DownloadPart } from "@tongs/core/client/Download"
import { UnexpectedResponse } from "@tongs/core/contract/Failure"
import { ConnectionError } from "../base/ConnectionError.ts"
import * as PartialDownload from "./PartialDownload.ts"

export interface DownloadSource<E> {
  /** The request, as failures call it. */
  readonly request: string
  /** Names the file among all that anybody may save, as by the forge's URL and the route. */
  readonly file: string
  /** The bytes of the file: a download with these options. */
  readonly bytes: (
    options: Pick<DownloadOptions, "etag" | "isVerified" | "offset" | "onPart">
  ) => Stream.Stream<Uint8Array, E>
  /** In bytes, as far as one knows: what is there already and larger is the beginning of another file. */
  readonly size: number | undefined
  /** `sha256:<hex>` of the whole; without one, nothing is verified. */
  readonly digest: string | undefined
}

export interface DownloadResult {
  /** In bytes. */
  readonly size: number
  /** `sha256:<hex>` of the whole. */
  readonly digest: string
  /** Bytes that were there from an earlier download. */
  readonly resumed: number
}

/** Saves to `path`, and replaces the file that is there. Fails where another process is at it (`InUse`). */
export const save = Effect.fn("DownloadFile.save")(function* <E>(source: DownloadSource<E>, path: string) {
  yield* isFile(path)
  const partial = yield* PartialDownload.acquire(path)
  // What cannot be gone on from is of no use to anybody.
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.when(partial.remove, isUseless(source, partial))))
  const first = yield* fill(source, partial)
  // What was put together may be of several files, as no single answer is.
  const saved =
    first.isWhole || isRight(first.digest, source.digest)
      ? first
      : yield* Effect.andThen(partial.remove, fill(source, partial))
  if (!isRight(saved.digest, source.digest)) {
    yield* partial.remove
    return yield* mismatch(source, saved.digest)
  }
  yield* disk(path, () => rename(partial.path, path))
  // The name, too, is on the disk only then. Not every system can be asked for that.
  yield* Effect.ignore(disk(path, () => sync(dirname(path))))
  const { digest, resumed, size } = saved
  return { size, digest, resumed } satisfies DownloadResult
}, Effect.scoped)

/** The bytes as they come, and a failure at their end where they are not what the digest says. */
export const verifiedBytes = <E>(source: DownloadSource<E>): Stream.Stream<Uint8Array, E | UnexpectedResponse> =>
  Stream.suspend(() => {
    const hash = createHash("sha256")
    const end = Effect.suspend(() => {
      const digest = `sha256:${hash.digest("hex")}`
      return isRight(digest, source.digest) ? Effect.void : mismatch(source, digest)
    })
    return source.bytes({ isVerified: source.digest !== undefined }).pipe(
      Stream.tap((piece) => Effect.sync(() => hash.update(piece))),
      Stream.concat(Stream.drain(Stream.fromEffect(end)))
    )
  })

const isRight = (digest: string, wanted: string | undefined) => wanted === undefined || digest === wanted.toLowerCase()

const mismatch = <E>({ digest, request }: DownloadSource<E>, found: string) =>
  Effect.fail(
    new UnexpectedResponse({ request, detail: `a file whose digest is ${found}, and not ${digest}`, status: 200 })
  )

/** A device, or a pipe, would be gone when the file takes its name. */
const isFile = (path: string) =>
  Effect.flatMap(
    disk(path, () => facts(path)),
    (found) =>
      found === undefined || found.isFile()
        ? Effect.void
        : Effect.fail(
            new ConnectionError({
              reason: "BadSettings",
              detail: `${path} is no file`,
              hint: "Name one, or leave it out and send the output there"
            })
          )
  )

interface Beginning {
  readonly offset: number
  readonly etag?: string
}

/** How much of what is there one can go on from, and of which version it is where no digest tells in the end. */
const beginning = Effect.fnUntraced(function* <E>(
  { digest, file, size: wanted = Infinity }: DownloadSource<E>,
  partial: PartialDownload.PartialDownload
) {
  const { size: offset = 0 } = (yield* disk(partial.path, () => facts(partial.path))) ?? {}
  if (offset > wanted) return { offset: 0 } satisfies Beginning
  if (digest !== undefined) return { offset } satisfies Beginning
  const version = partial.version()
  const isSame = version?.file === file
  return isSame ? ({ offset, etag: version.etag } satisfies Beginning) : ({ offset: 0 } satisfies Beginning)
})

const isUseless = <E>(source: DownloadSource<E>, partial: PartialDownload.PartialDownload) =>
  Effect.map(beginning(source, partial), ({ offset }) => offset === 0)

/** Adds what is missing, and gives the digest of all of it, and whether all came in one piece. */
const fill = Effect.fnUntraced(function* <E>(source: DownloadSource<E>, partial: PartialDownload.PartialDownload) {
  const isVerified = source.digest !== undefined
  const { path } = partial
  const from: Beginning = yield* beginning(source, partial)
  if (from.offset === 0) yield* partial.remove
  let hash = createHash("sha256")
  if (from.offset > 0) yield* disk(path, () => pipeline(createReadStream(path), hash, { end: false }))
  let size = from.offset
  let resumed = from.offset
  let parts = 0
  let next: DownloadPart | undefined

  /** Makes the file what an answer is to be added to. */
  const begin = async (file: FileHandle) => {
    if (next === undefined) return
    const { etag, start } = next
    next = undefined
    parts += 1
    if (start < size) {
      await file.truncate()
      hash = createHash("sha256")
      size = resumed = 0
    }
    // What is verified may be of several versions until it is.
    partial.setVersion(isVerified || etag === undefined ? undefined : { file: source.file, etag })
  }

  const add = async (file: FileHandle, piece: Uint8Array) => {
    await begin(file)
    size += piece.length
    hash.update(piece)
    for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten
  }

  yield* Effect.acquireUseRelease(
    disk(path, async () => {
      const file = await open(path, "a")
      if (from.offset === 0) await file.truncate()
      return file
    }),
    (file) =>
      Stream.runForEach(source.bytes({ ...from, isVerified, onPart: (part) => (next = part) }), (piece) =>
        disk(path, () => add(file, piece))
      ).pipe(
        Effect.andThen(
          disk(path, async () => {
            await begin(file)
            await file.sync()
          })
        )
      ),
    (file) => Effect.ignore(disk(path, () => file.close()))
  )
  return { size, digest: `sha256:${hash.digest("hex")}`, resumed, isWhole: parts <= 1 && resumed === 0 }
})

const facts = (path: string) =>
  stat(path).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? undefined : Promise.reject(error)))

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
