/** Limits the memory of responses that are being sent, and the time that a client may stall while reading one. */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../api/ApiError.ts"

export interface InFlightLimits {
  /** Maximum size of all responses in flight, in bytes. */
  readonly maxBytes: number
  /**
   * Bytes reserved for responses of up to `smallBytes`, so that slow readers of large responses do not block other
   * responses.
   */
  readonly reservedBytes: number
  readonly smallBytes: number
  /** Assumed size of a streamed response, in bytes: buffers of the git process, pipe, encoder and socket. */
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

  /** Total size of the responses in flight, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts a response until the end of the transfer. Returns false if the response exceeds the limit. Always admits
   * responses to writes.
   */
  admit({ body }: HttpServerResponse.HttpServerResponse, connection: ServerResponse): boolean {
    const { method } = connection.req
    if (body._tag === "Empty" || method === "HEAD") return true
    const isStream = body._tag === "Stream" || body._tag === "Raw"
    const bytes = isStream ? this.#bounds.streamBytes : (body.contentLength ?? 0)
    if (method === "GET" && !this.hasRoomFor(bytes)) return false
    this.hold(bytes, connection)
    return true
  }

  /** True if a response of this size is within the limit, or no other response is in flight. */
  hasRoomFor(bytes: number): boolean {
    const { maxBytes, reservedBytes, smallBytes } = this.#bounds
    return this.#bytes === 0 || this.#bytes + bytes <= (bytes > smallBytes ? maxBytes - reservedBytes : maxBytes)
  }

  /** Counts bytes until the response is sent or the connection is closed. Closes the connection if the client stalls. */
  hold(bytes: number, connection: ServerResponse): void {
    if (connection.destroyed) return
    this.#bytes += bytes
    connection.once("close", () => {
      this.#bytes -= bytes
    })
    const { stallMillis } = this.#bounds
    connection.setTimeout(stallMillis, () => {
      // If the write buffer is empty, the client has read all data so far, and the connection waits for the server.
      if (connection.writableLength > 0) connection.destroy()
      else connection.setTimeout(stallMillis)
    })
  }
}

/** Creates the 503 that replaces a response above the limit, and releases the resources of the response. */
export const overloaded = ({ body, headers }: HttpServerResponse.HttpServerResponse) => {
  const apiError = ApiError.unavailable(
    "Other clients are slow to take their answers, and these fill the memory for them"
  )
  const own = new Set(["content-encoding", "content-length", "content-type", "etag"])
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)))
  const refused = HttpServerResponse.text(ApiError.body(apiError), {
    status: ApiError.status(apiError),
    headers: { ...others, "cache-control": "no-store", "retry-after": String(ApiError.RETRY_AFTER) },
    contentType: "application/json; charset=utf-8"
  })
  // The stream of a search holds resources until closed, so the refused stream is opened and closed at once. The stream
  // of a file, which has a known length, has not started and holds none.
  const isHolding = body._tag === "Stream" && body.contentLength === undefined
  return Effect.as(isHolding ? Effect.scoped(Stream.toPull(body.stream)) : Effect.void, refused)
}
