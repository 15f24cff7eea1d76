/**
 * Downloads to a file atomically. Saves received bytes in `NAME.partial` (`PartialDownload`). A later download resumes
 * if a digest can verify the complete file, or if an `ETag` proves that the source has not changed. The file gets the
 * final name only after all bytes are synced to disk and match the digest.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, rename, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { DownloadOptions, DownloadPart } from "@tongs/core/client/DownloadOptions"
import { UnexpectedResponse } from "@tongs/core/contract/Failure"
import { badSettings, ConnectionError } from "../base/ConnectionError.ts"
import { messageOf } from "../base/PlatformErrors.ts"
import * as PartialDownload from "./PartialDownload.ts"

/** A file to download. */
export interface DownloadSource<E> {
  /** Name of the request in error messages. */
  readonly request: string
  /** Identifies the file on the server, for example by the forge's URL and the route. */
  readonly file: string
  /** Downloads the bytes. */
  readonly bytes: (
    options: Pick<DownloadOptions, "etag" | "isVerified" | "offset" | "onPart">
  ) => Stream.Stream<Uint8Array, E>
  /** Size of the file in bytes, if known. A larger partial download belongs to another file and is discarded. */
  readonly size: number | undefined
  /** `sha256:<hex>` of the complete file. Without a digest, the content is not verified. */
  readonly digest: string | undefined
}

/** The result of a complete download. */
export interface DownloadResult {
  /** Size of the file in bytes. */
  readonly size: number
  /** `sha256:<hex>` of the complete file. */
  readonly digest: string
  /** Number of bytes that came from an earlier, interrupted download. */
  readonly resumed: number
}

/**
 * Downloads a file to `path`, replacing an existing file. Fails with `InUse` if another process is saving to `path`,
 * with `StorageFailed` if `path` cannot be written, and with `UnexpectedResponse` if the bytes do not match the digest.
 */
export const save = Effect.fn("DownloadFile.save")(function* <E>(source: DownloadSource<E>, path: string) {
  yield* requireRegularFile(path)
  const partial = yield* PartialDownload.acquire(path)
  // Remove a partial file that no later download can resume.
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.when(partial.remove, isUseless(source, partial))))
  const first = yield* fill(source, partial)
  // A resumed file can mix two versions of the source. Download the whole file once more before reporting a mismatch.
  const saved =
    first.isWhole || isRight(first.digest, source.digest)
      ? first
      : yield* Effect.andThen(partial.remove, fill(source, partial))
  if (!isRight(saved.digest, source.digest)) {
    yield* partial.remove
    return yield* mismatch(source, saved.digest)
  }
  yield* disk(path, () => rename(partial.path, path))
  // Sync the folder, so that the file's new name survives a crash. Not every system supports this.
  yield* Effect.ignore(disk(path, () => sync(dirname(path))))
  const { digest, resumed, size } = saved
  return { size, digest, resumed } satisfies DownloadResult
}, Effect.scoped)

/** Streams the bytes on arrival. Fails at the end with `UnexpectedResponse` if the bytes do not match the digest. */
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
    new UnexpectedResponse({ request, detail: `the file's digest is ${found}, expected ${digest}`, status: 200 })
  )

/** Fails for a device or a pipe, which renaming would replace with a regular file. */
const requireRegularFile = (path: string) =>
  Effect.flatMap(
    disk(path, () => facts(path)),
    (found) =>
      found === undefined || found.isFile()
        ? Effect.void
        : Effect.fail(badSettings(`Not a regular file: ${path}`, "Name a file, or omit it and redirect the output"))
  )

interface ResumePoint {
  readonly offset: number
  readonly etag?: string
}

/**
 * Returns the number of received bytes to keep, and the version that the missing bytes must match if there is no
 * digest.
 */
const resumePoint = Effect.fnUntraced(function* <E>(
  { digest, file, size: wanted = Infinity }: DownloadSource<E>,
  partial: PartialDownload.PartialDownload
) {
  const { size: offset = 0 } = (yield* disk(partial.path, () => facts(partial.path))) ?? {}
  if (offset > wanted) return { offset: 0 } satisfies ResumePoint
  if (digest !== undefined) return { offset } satisfies ResumePoint
  const version = partial.version()
  const isSame = version?.file === file
  return isSame ? ({ offset, etag: version.etag } satisfies ResumePoint) : ({ offset: 0 } satisfies ResumePoint)
})

const isUseless = <E>(source: DownloadSource<E>, partial: PartialDownload.PartialDownload) =>
  Effect.map(resumePoint(source, partial), ({ offset }) => offset === 0)

/** Appends the missing bytes. Returns the digest of the complete file, and whether all bytes came from one response. */
const fill = Effect.fnUntraced(function* <E>(source: DownloadSource<E>, partial: PartialDownload.PartialDownload) {
  const isVerified = source.digest !== undefined
  const { path } = partial
  const from: ResumePoint = yield* resumePoint(source, partial)
  if (from.offset === 0) yield* partial.remove
  let hash = createHash("sha256")
  if (from.offset > 0) yield* disk(path, () => pipeline(createReadStream(path), hash, { end: false }))
  let size = from.offset
  let resumed = from.offset
  let parts = 0
  let next: DownloadPart | undefined

  /** Prepares the file for the bytes of a new response, which may be the missing rest or the complete file. */
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
    // With a digest no version is needed: the digest verifies the complete file at the end.
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
        detail: `Cannot write ${path}: ${messageOf(cause)}`,
        hint: "Check the folder and its free disk space. Bytes received so far are kept"
      })
  })
