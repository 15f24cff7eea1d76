/**
 * Compression of responses on demand (`Accept-Encoding`, RFC 9110 §12.5.3). The ETags of the API are weak and the same
 * for all encodings, so conditional requests need nothing.
 */
import { promisify } from "node:util"
import * as zlib from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { LruCache } from "../base/LruCache.ts"
import type { ReadyResponse } from "./Responses.ts"

/** The supported encodings, the preferred one first. */
const encodings = ["br", "gzip"] as const
type Encoding = (typeof encodings)[number]

/** Minimum size of a compressed body in bytes: a smaller one fits into one packet anyway. */
const MIN_BYTES = 1024

/** Maximum size of a body that is compressed at once, in about 0.1 ms. A larger one is compressed in another thread. */
const MAX_IMMEDIATE_BYTES = 64 * 1024

/** Maximum size of the compressed bodies in memory, and of one compressed body, in bytes. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024
const MAX_CACHED_BODY = 256 * 1024

/** The levels are the fastest: on JSON the next ones take 10 to 20 times as long and save a tenth to a third. */
const gzipOptions = { level: 1 }
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Text, JSON, diffs and patches. Raw files can be compressed already, and events must arrive one by one. */
const compressible = /^(?:text\/|application\/(?:json|[\w.-]+\+json|vnd\.\w+(?:\.\w+)?\.(?:diff|patch))(?:;|$))/

/** Returns the preferred one of the encodings that a client accepts; undefined if the client accepts none. */
export const accepted = (header: string | undefined): Encoding | undefined => {
  if (header === undefined || header === "") return undefined
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
    weights.set(name === "x-gzip" ? "gzip" : name, weight === undefined ? 1 : Number(weight))
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0
  const best = encodings.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  const isBetter = weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0)
  return isBetter ? best : undefined
}

const sync = (encoding: Encoding, body: Uint8Array) =>
  encoding === "br" ? zlib.brotliCompressSync(body, brotliOptions) : zlib.gzipSync(body, gzipOptions)

const inThread = {
  br: (body: Uint8Array) => promisify(zlib.brotliCompress)(body, brotliOptions),
  gzip: (body: Uint8Array) => promisify(zlib.gzip)(body, gzipOptions)
}

/** Returns the position of a header's value in alternating names and values. */
const positionOf = (headers: ReadonlyArray<string>, name: string): number => {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return at + 1
  return -1
}

/** Adds the encoding to the headers of a response, without the former length. */
const withEncoding = (headers: Readonly<Record<string, string>>, encoding: Encoding): Record<string, string> => {
  const { "content-length": _, vary, ...others } = headers
  const isVarying = vary?.toLowerCase().includes("accept-encoding") === true
  return {
    ...others,
    "content-encoding": encoding,
    vary: isVarying ? vary : [...(vary === undefined ? [] : [vary]), "Accept-Encoding"].join(", ")
  }
}

const record = (headers: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(
    headers.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), headers[at + 1] ?? ""] as const] : []))
  )

/** Creates a compressor of responses, with a cache. */
export const make = () => {
  const cache = new LruCache<Uint8Array>(MAX_CACHED_BYTES)

  /** Compresses a body, at once if small or cached. An ETag contains the hash of the body. */
  const compress = (
    encoding: Encoding,
    body: Uint8Array,
    etag: string | undefined
  ): Uint8Array | Promise<Uint8Array> => {
    const key = etag === undefined ? undefined : `${encoding}${etag}`
    const known = key === undefined ? undefined : cache.get(key)
    if (known !== undefined) return known
    const keep = (compressed: Uint8Array) => {
      if (key !== undefined && compressed.length <= MAX_CACHED_BODY) cache.set(key, compressed, compressed.length)
      return compressed
    }
    return body.length <= MAX_IMMEDIATE_BYTES ? keep(sync(encoding, body)) : inThread[encoding](body).then(keep)
  }

  /** Compresses a ready response if the client accepts an encoding. */
  const ready = (
    acceptEncoding: string | undefined,
    response: ReadyResponse
  ): ReadyResponse | Promise<ReadyResponse> => {
    const { body, headers, status } = response
    if (body === undefined || body.length < MIN_BYTES) return response
    const encoding = accepted(acceptEncoding)
    if (encoding === undefined || !compressible.test(headers[positionOf(headers, "content-type")] ?? ""))
      return response
    if (positionOf(headers, "content-encoding") !== -1) return response
    const bytes = typeof body === "string" ? Buffer.from(body) : body
    const etag = status === 200 ? headers[positionOf(headers, "etag")] : undefined
    const encoded = (compressed: Uint8Array): ReadyResponse => ({
      status,
      headers: [
        ...Object.entries(withEncoding(record(headers), encoding)).flat(),
        "content-length",
        String(compressed.length)
      ],
      body: compressed
    })
    const compressed = compress(encoding, bytes, etag)
    return compressed instanceof Promise ? compressed.then(encoded) : encoded(compressed)
  }

  /** Compresses a response if the client accepts an encoding. A stream is compressed during the transfer. */
  const response = (
    { headers: { "accept-encoding": acceptEncoding }, method }: RequestHead,
    given: HttpServerResponse.HttpServerResponse
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const { body, headers, status } = given
    const encoding = method === "HEAD" ? undefined : accepted(acceptEncoding)
    if (encoding === undefined || headers["content-encoding"] !== undefined) return Effect.succeed(given)
    const contentType = headers["content-type"] ?? ""
    if (!compressible.test(contentType)) return Effect.succeed(given)
    const options = { status, headers: withEncoding(headers, encoding), contentType }
    if (body._tag === "Uint8Array" && body.contentLength >= MIN_BYTES) {
      const etag = status === 200 ? headers["etag"] : undefined
      return Effect.map(
        Effect.promise(async () => compress(encoding, body.body, etag)),
        (compressed) => HttpServerResponse.uint8Array(compressed, options)
      )
    }
    // A stream with a known length is a large file as base64, which compression would shorten little.
    if (body._tag !== "Stream" || body.contentLength !== undefined) return Effect.succeed(given)
    const encoder = () => (encoding === "br" ? zlib.createBrotliCompress(brotliOptions) : zlib.createGzip(gzipOptions))
    const bytes = NodeStream.pipeThroughDuplex(body.stream, { evaluate: encoder, onError: (cause) => cause })
    return Effect.succeed(HttpServerResponse.stream(bytes, options))
  }

  return { ready, response }
}

/** Compresses responses. */
export type Compression = ReturnType<typeof make>

interface RequestHead {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}
