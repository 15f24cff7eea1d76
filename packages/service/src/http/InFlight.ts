/** Bounds on answers that clients have not taken yet: their bytes in memory, and how long a client may take none. */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../api/ApiError.ts"

export interface InFlightLimits {
  /** Bytes of all answers that are being sent. */
  readonly maxBytes: number
  /** Bytes of these that are left to answers of at most `smallBytes`, so that slow readers of large ones stop no others. */
  readonly reservedBytes: number
  readonly smallBytes: number
  /** Bytes that a streamed answer counts as: buffers of its process, of the pipe, of the encoder and of the socket. */
  readonly streamBytes: number
  /** Milliseconds in which a client takes no byte of its answer before its connection is closed. */
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

  /** Bytes of the answers that are being sent. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts an answer until its connection has taken it; false if it exceeds the bound. Only reads can be refused. */
  admit({ body }: HttpServerResponse.HttpServerResponse, connection: ServerResponse): boolean {
    const { method } = connection.req
    if (body._tag === "Empty" || method === "HEAD") return true
    const bytes = body._tag === "Stream" ? this.#bounds.streamBytes : (body.contentLength ?? 0)
    if (method === "GET" && !this.hasRoomFor(bytes)) return false
    this.hold(bytes, connection)
    return true
  }

  /** A first answer always has room, however large it is. */
  hasRoomFor(bytes: number): boolean {
    const { maxBytes, reservedBytes, smallBytes } = this.#bounds
    return this.#bytes === 0 || this.#bytes + bytes <= (bytes > smallBytes ? maxBytes - reservedBytes : maxBytes)
  }

  /** Counts bytes until the connection has taken its answer, or is closed. */
  hold(bytes: number, connection: ServerResponse): void {
    if (connection.destroyed) return
    this.#bytes += bytes
    connection.once("close", () => {
      this.#bytes -= bytes
    })
    const { stallMillis } = this.#bounds
    connection.setTimeout(stallMillis, () => {
      // With nothing left to send it is this side that is slow.
      if (connection.writableLength > 0) connection.destroy()
      else connection.setTimeout(stallMillis)
    })
  }
}

/** 503 in the place of an answer that has no room, which is released. */
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
  // A search releases what it holds when its stream ends; the bytes of a file, whose length is known, hold nothing yet.
  const isHolding = body._tag === "Stream" && body.contentLength === undefined
  return Effect.as(isHolding ? Effect.scoped(Stream.toPull(body.stream)) : Effect.void, refused)
}
