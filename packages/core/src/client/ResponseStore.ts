/**
 * Where answers are kept to be asked for again (`ConditionalCache`): a port. In memory here; `@tongs/connection` keeps
 * them on a disk, for one process after another.
 */
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** An answer with status 200, as the forge gave it. */
export interface CachedResponse {
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Epoch milliseconds at which the forge last said that this is its answer. */
  readonly at: number
}

/** Losing what it keeps is no failure: an answer that is not there is fetched. Keys name a credential and a request. */
export interface ResponseStore {
  readonly get: (key: string) => Effect.Effect<CachedResponse | undefined>
  readonly set: (key: string, kept: CachedResponse) => Effect.Effect<void>
  /** The forge has just said that what is kept is still its answer. */
  readonly confirm: (key: string, kept: CachedResponse, at: number) => Effect.Effect<void>
}

/** What may be kept: so many answers, of so many bytes each and all together. The oldest go first. */
export interface StoreBounds {
  readonly entries: number
  readonly body: number
  readonly total: number
}

export const defaultBounds: StoreBounds = { entries: 500, body: 512 * 1024, total: 32 * 1024 * 1024 }

export const makeMemory = ({ body, entries, total }: StoreBounds = defaultBounds): ResponseStore => {
  /** The one confirmed last stands last. */
  const answers = new Map<string, CachedResponse>()
  let bytes = 0

  const forget = (key: string) => {
    bytes -= answers.get(key)?.body.byteLength ?? 0
    answers.delete(key)
  }

  const set = (key: string, kept: CachedResponse) =>
    Effect.sync(() => {
      forget(key)
      if (kept.body.byteLength > body) return
      answers.set(key, kept)
      bytes += kept.body.byteLength
      for (const oldest of answers.keys()) {
        if (answers.size <= entries && bytes <= total) return
        forget(oldest)
      }
    })

  return {
    get: (key) => Effect.sync(() => answers.get(key)),
    set,
    confirm: (key, kept, at) => set(key, { ...kept, at })
  }
}

/** A kept answer as if it had just come: `x-tongs-cache` says that it did not, and `x-tongs-age` how old it is (milliseconds). */
export const toResponse = (
  request: HttpClientRequest.HttpClientRequest,
  { body, headers }: CachedResponse,
  also: Readonly<Record<string, string>>
) => HttpClientResponse.fromWeb(request, new Response(body, { status: 200, headers: { ...headers, ...also } }))
