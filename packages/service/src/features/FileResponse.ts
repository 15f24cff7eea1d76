/** Responses with a stored file as a download, also in parts. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ByteRange from "./ByteRange.ts"

/** A file to download. */
export interface DownloadedFile {
  readonly path: string
  /** SHA-256 of the file in hexadecimal, the ETag. Absent for a file that grows. */
  readonly digest?: string
  /** Name for the client's file. Without a name, the client may show the content. */
  readonly name?: string
  readonly contentType: string
}

/** Serves a file, or the part in the `Range` header. Undefined if the file is missing. */
export const make = Effect.fnUntraced(function* (
  { headers, method }: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
  { contentType, digest, name, path }: DownloadedFile
) {
  const size = yield* Effect.promise(() =>
    stat(path).then(
      (facts) => facts.size,
      () => undefined
    )
  )
  if (size === undefined) return undefined
  const etag = digest === undefined ? undefined : `"${digest}"`
  const common = {
    "accept-ranges": "bytes",
    ...(etag === undefined ? {} : { etag }),
    "cache-control": "private, no-store",
    ...(name === undefined ? {} : { "content-disposition": disposition(name) }),
    "x-content-type-options": "nosniff"
  }
  // Sends a part only if the client has other parts of the same file.
  const isSame = headers["if-range"] === undefined || headers["if-range"] === etag
  const range = isSame && method === "GET" ? ByteRange.parse(headers["range"], size) : undefined
  if (range === "unsatisfiable") {
    return HttpServerResponse.empty({ status: 416, headers: { ...common, "content-range": `bytes */${size}` } })
  }
  const { end, start } = range ?? { start: 0, end: size - 1 }
  const part = range === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` }
  const isEmpty = method === "HEAD" || size === 0
  return HttpServerResponse.stream(isEmpty ? Stream.empty : bytes(path, { start, end }), {
    status: range === undefined ? 200 : 206,
    headers: { ...common, ...part },
    contentType,
    contentLength: end - start + 1
  })
})

const bytes = (path: string, range: ByteRange.ByteRange) =>
  NodeStream.fromReadable({ evaluate: () => createReadStream(path, range) })

/** `Content-Disposition` with an ASCII fallback of the name (RFC 6266). */
const disposition = (name: string) =>
  `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\]/g, "_")}"; filename*=UTF-8''${encoded(name)}`

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
