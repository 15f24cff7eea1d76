/**
 * The interface of stores of cached responses, and a store in memory. `@tongs/connection` has a file that processes
 * share.
 */
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as ResponseBody from "./responses/ResponseBody.ts"

/** A response with status 200, as received. */
export interface CachedResponse {
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Time at which the forge sent or last confirmed the response, in epoch milliseconds. */
  readonly at: number
}

/**
 * A cache of responses. The methods never fail: a lost response is fetched again. A key identifies a rate-limit scope
 * and a request.
 */
export interface ResponseStore {
  readonly get: (key: string) => Effect.Effect<CachedResponse | undefined>
  readonly set: (key: string, response: CachedResponse) => Effect.Effect<void>
  /** Records that the forge confirmed the cached response (304) at a time in epoch milliseconds. */
  readonly confirm: (key: string, response: CachedResponse, at: number) => Effect.Effect<void>
}

/** Size limits of a store. At a limit, the store evicts the responses that were confirmed longest ago. */
export interface StoreBounds {
  /** Maximum number of responses. */
  readonly entries: number
  /** Maximum size of one body in bytes. */
  readonly body: number
  /** Maximum size of all bodies in bytes. */
  readonly total: number
}

/** Default limits: 500 responses with bodies of at most 512 KiB, 32 MiB in total. */
export const defaultBounds: StoreBounds = { entries: 500, body: 512 * 1024, total: 32 * 1024 * 1024 }

/** Creates a store in the memory of this process. */
export const makeMemory = ({ body, entries, total }: StoreBounds = defaultBounds): ResponseStore => {
  /** Cached responses by key, ordered by the time of confirmation, the latest last. */
  const responses = new Map<string, CachedResponse>()
  let bytes = 0

  const remove = (key: string) => {
    bytes -= responses.get(key)?.body.byteLength ?? 0
    responses.delete(key)
  }

  const set = (key: string, response: CachedResponse) =>
    Effect.sync(() => {
      remove(key)
      if (response.body.byteLength > body) return
      responses.set(key, response)
      bytes += response.body.byteLength
      for (const oldest of responses.keys()) {
        if (responses.size <= entries && bytes <= total) return
        remove(oldest)
      }
    })

  return {
    get: (key) => Effect.sync(() => responses.get(key)),
    set,
    confirm: (key, response, at) => set(key, { ...response, at })
  }
}

/**
 * Creates a response to `request` from a cached response, with additional headers: `x-tongs-cache` marks the response
 * as cached, and `x-tongs-age` is the age in milliseconds.
 */
export const toResponse = (
  request: HttpClientRequest.HttpClientRequest,
  { body, headers }: CachedResponse,
  additional: Readonly<Record<string, string>>
) => {
  const head = { status: 200, headers: { ...headers, ...additional } }
  return ResponseBody.buffer(HttpClientResponse.fromWeb(request, new Response(null, head)), body)
}
