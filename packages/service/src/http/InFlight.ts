/** Limits responses in flight: their bytes in memory, and the time that a client may stall. */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../api/ApiError.ts"

export interface InFlightLimits {
  /** Maximum bytes of all responses in flight. */
  readonly maxBytes: number
  /** Bytes reserved for responses of at most `smallBytes`, so that slow readers of large ones do not block others. */
  readonly reservedBytes: number
  readonly smallBytes: number
  /** Bytes that a streamed response counts as: buffers of process, pipe, encoder and socket. */
  readonly streamBytes: number
  /** Milliseconds without progress after which a connection is closed. */
  readonly stallMillis: number
}

export const defaults: InFlightLimits = {
  maxBytes: 256 * 1024 * 1024,
  reservedBytes: 32 * 1024 * 1024,
  smallBytes: 64 * 1024,
  streamBytes: 5 * 1024 * 1024,
  stallMillis: 60_000
}

export class InFlight {
  readonly #bounds: InFlightLimits
  #bytes = 0

  constructor(bounds: InFlightLimits = defaults) {
    this.#bounds = bounds
  }

  /** Bytes of the responses in flight. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts a response until it is sent; false if it exceeds the limit. Responses to writes are always admitted. */
  admit({ body }: HttpServerResponse.HttpServerResponse, connection: ServerResponse): boolean {
    const { method } = connection.req
    if (body._tag === "Empty" || method === "HEAD") return true
    const bytes = body._tag === "Stream" ? this.#bounds.streamBytes : (body.contentLength ?? 0)
    if (method === "GET" && !this.hasRoomFor(bytes)) return false
    this.hold(bytes, connection)
    return true
  }

  /** True if the bytes fit, or if nothing else is in flight. */
  hasRoomFor(bytes: number): boolean {
    const { maxBytes, reservedBytes, smallBytes } = this.#bounds
    return this.#bytes === 0 || this.#bytes + bytes <= (bytes > smallBytes ? maxBytes - reservedBytes : maxBytes)
  }

  /** Counts bytes until the response is sent or the connection is closed. */
  hold(bytes: number, connection: ServerResponse): void {
    if (connection.destroyed) return
    this.#bytes += bytes
    connection.once("close", () => {
      this.#bytes -= bytes
    })
    const { stallMillis } = this.#bounds
    connection.setTimeout(stallMillis, () => {
      // With an empty buffer, the server is slow, not the client.
      if (connection.writableLength > 0) connection.destroy()
      else connection.setTimeout(stallMillis)
    })
  }
}

/** Replaces a response that exceeds the limit by a 503, and releases its body. */
export const overloaded = ({ body, headers }: HttpServerResponse.HttpServerResponse) => {
  const apiError = ApiError.unavailable(
    "Other clients are slow to take their answers, and these fill the memory for them"
  )
  const { "content-length": _, "content-type": __, etag: ___, ...others } = headers
  const refused = HttpServerResponse.text(ApiError.body(apiError), {
    status: ApiError.status(apiError),
    headers: { ...others, "cache-control": "no-store", "retry-after": String(ApiError.retryAfter) },
    contentType: "application/json; charset=utf-8"
  })
  // A search releases its resources when its stream ends. The stream of a file with a known length has not started.
  const isHolding = body._tag === "Stream" && body.contentLength === undefined
  return Effect.as(isHolding ? Effect.scoped(Stream.toPull(body.stream)) : Effect.void, refused)
}
