/** Response bodies, buffered up to a limit so that every step of the pipeline can read the bytes. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Default maximum size of the decompressed body of a successful response, in bytes. */
export const DEFAULT_MAX_BODY = 128 * 1024 * 1024

/** Maximum bytes received of the body of an unsuccessful response. The rest is not received. */
export const MAX_ERROR_BODY = 1024 * 1024

/** Maximum bytes received of an unused body, so that the connection can be reused. */
const MAX_DISCARDED = 64 * 1024

/**
 * Maximum number of values in a JSON body. Each value takes about a hundred bytes of memory, even if the text is short.
 */
export const MAX_VALUES = 2_000_000

/** Cause of a read error: the body exceeds the size limit. */
export class BodyTooLarge extends Error {
  override readonly name = "TooLarge"
}

type Response = HttpClientResponse.HttpClientResponse

/** Buffers the body, or fails with `BodyTooLarge` as the cause. Returns the number of bytes. */
export const read = (response: Response, maxBody: number): Effect.Effect<number, HttpClientError.HttpClientError> =>
  Effect.flatMap(chunks(response, maxBody), (received) => {
    if (!received.isComplete)
      return tooLarge(response, `a body of more than ${maxBody} bytes; raise maxBody, or download it`)
    const bytes = join(received)
    if (hasTooManyValues(bytes)) return tooLarge(response, `JSON of more than ${MAX_VALUES} values; download it`)
    buffer(response, bytes)
    return Effect.succeed(received.size)
  })

/** Buffers the beginning of the body, and closes the connection if there is more. Returns the number of bytes. */
export const readBeginning = (response: Response): Effect.Effect<number, HttpClientError.HttpClientError> =>
  Effect.map(chunks(response, MAX_ERROR_BODY), (received) => {
    const bytes = join(received).slice(0, MAX_ERROR_BODY)
    buffer(response, bytes)
    return bytes.byteLength
  })

/** Frees the connection of a response whose body is not needed. */
export const discard = (response: Response): Effect.Effect<void> => Effect.ignore(chunks(response, MAX_DISCARDED))

interface Chunks {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly size: number
  /** False if the body exceeded the limit, so that the rest was not received. */
  readonly isComplete: boolean
}

/** Minimum size of bodies that go into one preallocated buffer, so that memory never holds two copies. */
const PREALLOCATE_FROM = 1024 * 1024

/** Creates a collector of a body's chunks, up to a limit. */
const collector = (response: Response, limit: number) => {
  const { "content-encoding": encoding, "content-length": length } = response.headers
  const expected = encoding === undefined ? Number(length) : 0
  const buffer = expected >= PREALLOCATE_FROM && expected <= limit ? new Uint8Array(expected) : undefined
  const pieces: Array<Uint8Array> = []
  let size = 0
  return {
    /** Adds a chunk. Returns false once the limit is exceeded. */
    add: (piece: Uint8Array): boolean => {
      if (buffer !== undefined && size + piece.byteLength <= buffer.byteLength) buffer.set(piece, size)
      else pieces.push(piece)
      size += piece.byteLength
      return size <= limit
    },
    end: (): Chunks => ({
      pieces: buffer === undefined ? pieces : [buffer.subarray(0, size), ...pieces],
      size,
      isComplete: size <= limit
    })
  }
}

const chunks = (response: Response, limit: number): Effect.Effect<Chunks, HttpClientError.HttpClientError> => {
  // Stores the parsed headers: the getter parses on every access, and most steps of the pipeline read headers.
  Object.defineProperty(response, "headers", { value: response.headers })
  return Option.match(HttpClientResponse.toWeb(response), {
    onSome: (source) => fromWeb(response, source, limit),
    onNone: () => fromStream(response, limit)
  })
}

/** Reads a web stream directly, because `Stream` costs more than all other work on a small body. */
const fromWeb = (response: Response, { body }: globalThis.Response, limit: number) =>
  Effect.suspend(() => {
    const { add, end } = collector(response, limit)
    if (body === null) return Effect.succeed(end())
    return Effect.callback<Chunks, HttpClientError.HttpClientError>((resume) => {
      const reader = body.getReader()
      const cancel = () => void reader.cancel().catch(() => {}) // a failure to cancel does not matter, only a failure to read
      const receive = async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          if (!add(next.value)) return cancel()
        }
      }
      receive().then(
        () => resume(Effect.succeed(end())),
        (cause: unknown) => resume(Effect.fail(readError(response, cause)))
      )
      return Effect.sync(cancel)
    })
  })

const fromStream = (response: Response, limit: number) =>
  Effect.suspend(() => {
    const { add, end } = collector(response, limit)
    return response.stream.pipe(
      Stream.takeUntil((piece) => !add(piece)),
      Stream.runDrain,
      Effect.map(end)
    )
  })

const join = ({ pieces, size }: Chunks): Uint8Array<ArrayBuffer> => {
  const [first] = pieces
  // A transport's chunk is often a view of a larger buffer.
  if (pieces.length === 1 && first?.buffer instanceof ArrayBuffer && first.buffer.byteLength === size) {
    return new Uint8Array(first.buffer)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

/** Makes the response return these bytes as body, any number of times. Returns the response. */
export const buffer = (response: Response, bytes: Uint8Array<ArrayBuffer>): Response => {
  let decoded: string | undefined
  const text = Effect.sync(() => (decoded ??= decoder.decode(bytes)))
  const json = Effect.flatMap(text, (text) =>
    Effect.try({ try: (): unknown => JSON.parse(text), catch: (cause) => readError(response, cause) })
  )
  // Single definitions with values are three times as fast as `defineProperties` with getters.
  Object.defineProperty(response, "arrayBuffer", { value: Effect.succeed(bytes.buffer) })
  Object.defineProperty(response, "text", { value: text })
  Object.defineProperty(response, "json", { value: json })
  Object.defineProperty(response, "stream", bufferedStream)
  return response
}

/** Creates the stream on the first read, because a stream and the contained body survive minor garbage collections. */
const bufferedStream = {
  get(this: Response) {
    return Stream.unwrap(Effect.map(this.arrayBuffer, (buffer) => Stream.succeed(new Uint8Array(buffer))))
  }
}

const decoder = new TextDecoder()

/** Minimum size of bodies whose values are counted. Smaller ones cannot have more than `MAX_VALUES` values. */
const MIN_CHECKED = MAX_VALUES

/**
 * Returns whether a JSON body has more than `MAX_VALUES` values. Counts the values before a parser allocates objects.
 */
const hasTooManyValues = (bytes: Uint8Array): boolean => {
  if (bytes.byteLength < MIN_CHECKED) return false
  const first = bytes.find((byte) => byte > 0x20)
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) return false
  let values = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) values++
  }
  return values > MAX_VALUES
}

const [QUOTE, COMMA, OPEN_ARRAY, BACKSLASH, OPEN_OBJECT] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]

const readError = (response: Response, cause: unknown) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
  })

const tooLarge = (response: Response, detail: string) => Effect.fail(readError(response, new BodyTooLarge(detail)))
