/** The store of cached responses: a port. In memory here; `@tongs/connection` has one in a file that processes share. */
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** A response with status 200, as received. */
export interface CachedResponse {
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  /** When the forge sent or last confirmed the response, in epoch milliseconds. */
  readonly at: number
}

/** A cache of responses. Its methods never fail: a lost entry is fetched again. A key names a scope and a request. */
export interface ResponseStore {
  readonly get: (key: string) => Effect.Effect<CachedResponse | undefined>
  readonly set: (key: string, response: CachedResponse) => Effect.Effect<void>
  /** Records that the forge confirmed the cached response (304) at a time in epoch milliseconds. */
  readonly confirm: (key: string, response: CachedResponse, at: number) => Effect.Effect<void>
}

/** Bounds of a store. It evicts the entries that were confirmed longest ago. */
export interface StoreBounds {
  /** Maximum number of entries. */
  readonly entries: number
  /** Maximum size of one body in bytes. */
  readonly body: number
  /** Maximum size of all bodies in bytes. */
  readonly total: number
}

/** 500 entries of at most 512 KiB, 32 MiB in total. */
export const defaultBounds: StoreBounds = { entries: 500, body: 512 * 1024, total: 32 * 1024 * 1024 }

/** A store in the memory of this process. */
export const makeMemory = ({ body, entries, total }: StoreBounds = defaultBounds): ResponseStore => {
  /** Ordered by confirmation, the latest last. */
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
 * A cached response as a response to `request`, with additional headers: `x-tongs-cache` marks it as cached, and
 * `x-tongs-age` is its age in milliseconds.
 */
export const toResponse = (
  request: HttpClientRequest.HttpClientRequest,
  { body, headers }: CachedResponse,
  additional: Readonly<Record<string, string>>
) => HttpClientResponse.fromWeb(request, new Response(body, { status: 200, headers: { ...headers, ...additional } }))
