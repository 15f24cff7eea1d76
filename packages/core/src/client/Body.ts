/** Bodies of responses, read under a bound and then held in memory, so that each step can read them again. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Bytes that the body of a success may have, as it is after unpacking. */
export const DEFAULT_MAX_BODY = 128 * 1024 * 1024

/** Bytes that are read of any other body; the rest of it is not received. */
export const MAX_ERROR_BODY = 1024 * 1024

/** Bytes that are read of a body that nobody wants, so that its connection can be used again. */
const MAX_DISCARDED = 64 * 1024

/** Values that a JSON body may have. Each takes about a hundred bytes of memory, however few it takes of the body. */
export const MAX_VALUES = 2_000_000

/** Why a body is not read to its end. */
export class TooLarge extends Error {
  override readonly name = "TooLarge"
}

type Response = HttpClientResponse.HttpClientResponse

/** Reads the body into memory, or fails with `TooLarge` as the cause. Gives the number of bytes. */
export const read = (response: Response, maxBody: number): Effect.Effect<number, HttpClientError.HttpClientError> =>
  Effect.flatMap(chunks(response, maxBody), ({ isWhole, pieces, size }) => {
    if (!isWhole) return tooLarge(response, `a body of more than ${maxBody} bytes; raise maxBody, or download it`)
    const bytes = join(pieces, size)
    if (isHeavy(bytes)) return tooLarge(response, `JSON of more than ${MAX_VALUES} values; download it`)
    keep(response, bytes)
    return Effect.succeed(size)
  })

/** Reads the beginning of the body into memory, and closes the connection if there is more. */
export const readBeginning = (response: Response): Effect.Effect<number, HttpClientError.HttpClientError> =>
  Effect.map(chunks(response, MAX_ERROR_BODY), ({ pieces, size }) => {
    const bytes = join(pieces, size).slice(0, MAX_ERROR_BODY)
    keep(response, bytes)
    return bytes.byteLength
  })

/** Frees the connection of a response whose body is of no interest. */
export const discard = (response: Response): Effect.Effect<void> => Effect.ignore(chunks(response, MAX_DISCARDED))

interface Chunks {
  /** Emptied by `join`, so that no more than two copies of a body are in memory. */
  readonly pieces: Array<Uint8Array>
  readonly size: number
  /** False if the body is longer than it may be: then it is not received further. */
  readonly isWhole: boolean
}

const chunks = (response: Response, limit: number): Effect.Effect<Chunks, HttpClientError.HttpClientError> =>
  Option.match(HttpClientResponse.toWeb(response), {
    onSome: (source) => fromWeb(response, source, limit),
    onNone: () => fromStream(response, limit)
  })

/** Without a Stream in between, which would cost more than all else that is done to a small body. */
const fromWeb = (response: Response, { body }: globalThis.Response, limit: number) =>
  body === null
    ? Effect.succeed({ pieces: [], size: 0, isWhole: true })
    : Effect.tryPromise({
        try: async (signal): Promise<Chunks> => {
          const reader = body.getReader()
          const cancel = () => void reader.cancel().catch(() => {}) // the failure of the read is what counts
          signal.addEventListener("abort", cancel, { once: true })
          const pieces: Array<Uint8Array> = []
          let size = 0
          for (let next = await reader.read(); !next.done; next = await reader.read()) {
            pieces.push(next.value)
            size += next.value.byteLength
            if (size > limit) {
              cancel()
              return { pieces, size, isWhole: false }
            }
          }
          return { pieces, size, isWhole: true }
        },
        catch: (cause) => broken(response, cause)
      })

const fromStream = (response: Response, limit: number) =>
  Effect.suspend(() => {
    const pieces: Array<Uint8Array> = []
    let size = 0
    return response.stream.pipe(
      Stream.takeUntil((piece) => {
        pieces.push(piece)
        size += piece.byteLength
        return size > limit
      }),
      Stream.runDrain,
      Effect.map((): Chunks => ({ pieces, size, isWhole: size <= limit }))
    )
  })

const join = (pieces: Array<Uint8Array>, size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    bytes.set(piece, at)
    at += piece.byteLength
    pieces[index] = nothing
  }
  return bytes
}

const nothing = new Uint8Array()

/** Makes the response give these bytes, however often it is asked for its body. */
const keep = (response: Response, bytes: Uint8Array<ArrayBuffer>): void => {
  let decoded: string | undefined
  const text = Effect.sync(() => (decoded ??= decoder.decode(bytes)))
  Object.defineProperties(response, {
    // A response parses its headers at each access, and most of the steps have a look at them.
    headers: { value: response.headers },
    arrayBuffer: { value: Effect.succeed(bytes.buffer) },
    text: { value: text },
    json: {
      get: () =>
        Effect.flatMap(text, (text) =>
          Effect.try({ try: (): unknown => JSON.parse(text), catch: (cause) => broken(response, cause) })
        )
    },
    stream: { get: () => Stream.succeed(bytes) }
  })
}

const decoder = new TextDecoder()

/** Bytes from which on a body can be heavy at all. */
const LIGHT = MAX_VALUES

/** True for what may be JSON with more values than there may be: counted before a parser makes objects of them. */
const isHeavy = (bytes: Uint8Array): boolean => {
  if (bytes.byteLength < LIGHT) return false
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

const broken = (response: Response, cause: unknown) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
  })

const tooLarge = (response: Response, detail: string) => Effect.fail(broken(response, new TooLarge(detail)))
