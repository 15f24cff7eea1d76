/** Blob content for response bodies: small blobs in memory, large ones streamed. */
import * as Effect from "effect/Effect"
import type { ObjectInfo } from "../git/process/CatFileProcess.ts"
import { gitError } from "../git/values/GitError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import { withContent, type WithContent } from "./Handlers.ts"
import { isStreamed, type StreamedBody, STREAMING_THRESHOLD, wrapBase64 } from "./StreamedBody.ts"

export interface BlobContent {
  /** Size of the blob in bytes. */
  readonly size: number
  readonly body: Uint8Array | StreamedBody
}

/** Reads a blob. Returns `undefined` if `info` is missing or no blob. Fails with `TooLarge` above `limit` bytes. */
export const read = Effect.fnUntraced(function* (git: GitRepository, info: ObjectInfo | undefined, limit: number) {
  if (info?.type !== "blob") return undefined
  const { oid, size } = info
  if (size > limit) return yield* gitError({ _tag: "TooLarge", subject: oid, size, limit })
  if (size < STREAMING_THRESHOLD) {
    const blob = yield* git.blob(oid, limit)
    return blob === undefined ? undefined : ({ size, body: blob.bytes } satisfies BlobContent)
  }
  const body: StreamedBody = { _tag: "Streamed", identity: oid, size, bytes: git.blobStream(oid) }
  return { size, body } satisfies BlobContent
})

/** Creates the success value of a handler with the blob as base64 in one member. */
export const asContent = <A>({ body }: BlobContent, around: (content: string) => A): A | WithContent<A> =>
  isStreamed(body) ? withContent(body, around) : around(wrapBase64(body))
