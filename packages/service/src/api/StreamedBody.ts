/** Bodies that are sent in pieces, as they are read. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { GitError } from "../git/GitError.ts"

export interface StreamedBody {
  readonly _tag: "Streamed"
  /** Differs when the bytes differ. The entity tag is made of it, so that a conditional request reads nothing. */
  readonly identity: string
  /** In bytes; undefined if only the end tells. */
  readonly size: number | undefined
  readonly bytes: Stream.Stream<Uint8Array, GitError>
}

export const isStreamed = (body: Uint8Array | string | StreamedBody): body is StreamedBody =>
  typeof body === "object" && "_tag" in body

/** Smaller bodies, in bytes, are read whole: that costs no process of their own. */
export const streamingThreshold = 1024 * 1024

/** The bytes of a stream: whole if they are few, else in pieces. The stream can run twice. */
export const fromStream = Effect.fnUntraced(function* (identity: string, bytes: Stream.Stream<Uint8Array, GitError>) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEachWhile(bytes, (chunk) =>
    Effect.sync(() => {
      chunks.push(chunk)
      size += chunk.length
      return size < streamingThreshold
    })
  )
  if (size < streamingThreshold) return Buffer.concat(chunks)
  return { _tag: "Streamed", identity, size: undefined, bytes } satisfies StreamedBody
})

/** Bytes, and characters of base64, in one line; the API ends each line with a line feed. */
const lineBytes = 45
const lineCharacters = 60

/** Base64 in lines of 60 characters, each ended by `lineFeed`. */
const lines = (bytes: Uint8Array, lineFeed: string): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("base64")
    .replace(/.{1,60}/g, `$&${lineFeed}`)

/** Base64 as the API sends it. */
export const wrapBase64 = (bytes: Uint8Array): string => lines(bytes, "\n")

/** A line feed in a JSON string. */
const escaped = "\\n"

/** JSON with the content as base64 in the place of `placeholder`, which is a part of a string. */
export const embedInJson = (json: string, placeholder: string, content: StreamedBody): StreamedBody => {
  const [before = "", after = ""] = json.split(placeholder)
  const encode = Stream.mapAccum(
    (): Uint8Array => new Uint8Array(0),
    (rest: Uint8Array, chunk: Uint8Array) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const whole = bytes.length - (bytes.length % lineBytes)
      return [bytes.subarray(whole), whole === 0 ? [] : [Buffer.from(lines(bytes.subarray(0, whole), escaped))]]
    },
    { onHalt: (rest) => (rest.length === 0 ? [] : [Buffer.from(lines(rest, escaped))]) }
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
  return characters + escaped.length * Math.ceil(characters / lineCharacters)
}
