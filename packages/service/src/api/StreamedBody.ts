/** Response bodies that are streamed instead of held in memory. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { GitError } from "../git/values/GitError.ts"

/** A streamed response body. */
export interface StreamedBody {
  readonly _tag: "Streamed"
  /**
   * Text that changes with the content. The ETag is the hash of this text, so conditional requests need not read the
   * content.
   */
  readonly identity: string
  /** Size in bytes. Undefined if not known in advance. */
  readonly size: number | undefined
  readonly bytes: Stream.Stream<Uint8Array, GitError>
}

/** True for a streamed body. */
export const isStreamed = (body: Uint8Array | string | StreamedBody): body is StreamedBody =>
  typeof body === "object" && "_tag" in body

/** Minimum size of a streamed body, in bytes. Smaller ones are read into memory, which needs no separate git process. */
export const STREAMING_THRESHOLD = 1024 * 1024

/**
 * Creates a body from a stream. Reads a stream smaller than `STREAMING_THRESHOLD` into memory. May run the stream
 * twice.
 */
export const fromStream = Effect.fnUntraced(function* (identity: string, bytes: Stream.Stream<Uint8Array, GitError>) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEachWhile(bytes, (chunk) =>
    Effect.sync(() => {
      chunks.push(chunk)
      size += chunk.length
      return size < STREAMING_THRESHOLD
    })
  )
  if (size < STREAMING_THRESHOLD) return Buffer.concat(chunks)
  return { _tag: "Streamed", identity, size: undefined, bytes } satisfies StreamedBody
})

/** Number of bytes in a line of base64, and number of characters of the line. */
const LINE_BYTES = 45
const LINE_CHARACTERS = 60

/** Encodes bytes as base64 in lines of 60 characters that end with `lineFeed`. */
const lines = (bytes: Uint8Array, lineFeed: string): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("base64")
    .replace(/.{1,60}/g, `$&${lineFeed}`)

/** Encodes bytes as base64 with a line feed after every 60 characters, the format of the API. */
export const wrapBase64 = (bytes: Uint8Array): string => lines(bytes, "\n")

/** An escaped line feed, as in a JSON string. */
const ESCAPED = "\\n"

/** Streams `json`, with `placeholder` (part of a JSON string) replaced by the base64 of `content`. */
export const embedInJson = (json: string, placeholder: string, content: StreamedBody): StreamedBody => {
  const [before = "", after = ""] = json.split(placeholder)
  const encode = Stream.mapAccum(
    (): Uint8Array => new Uint8Array(0),
    (rest: Uint8Array, chunk: Uint8Array) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const whole = bytes.length - (bytes.length % LINE_BYTES)
      return [bytes.subarray(whole), whole === 0 ? [] : [Buffer.from(lines(bytes.subarray(0, whole), ESCAPED))]]
    },
    { onHalt: (rest) => (rest.length === 0 ? [] : [Buffer.from(lines(rest, ESCAPED))]) }
  )
  const [prefix, suffix] = [Buffer.from(before), Buffer.from(after)]
  return {
    _tag: "Streamed",
    identity: `${before}${content.identity}${after}`,
    size: content.size === undefined ? undefined : prefix.length + sizeInJson(content.size) + suffix.length,
    bytes: Stream.concat(Stream.concat(Stream.succeed(prefix), encode(content.bytes)), Stream.succeed(suffix))
  }
}

const sizeInJson = (size: number): number => {
  const characters = 4 * Math.ceil(size / 3)
  return characters + ESCAPED.length * Math.ceil(characters / LINE_CHARACTERS)
}
