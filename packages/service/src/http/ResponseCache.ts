/**
 * Caches responses to reads until a dependency changes: the store, or a reference of a repository read for the response.
 * Responses of the cached groups must not depend on anything else but the request. Changes by time alone, such as an
 * expired signing key, show after a minute at most, which is also the `max-age` for clients.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Dialect, vocabularies } from "@tongs/core/contract/Dialect"
import * as SingleFlight from "../base/SingleFlight.ts"
import { LruCache } from "../base/LruCache.ts"
import { type CacheDependency, CacheDependencies } from "../git/CacheDependencies.ts"
import type { StoreRevision } from "../storage/Sqlite.ts"
import type { EventLoopTick } from "../base/EventLoopTick.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import type { AnyHandler } from "../api/Handlers.ts"

type Response = HttpServerResponse.HttpServerResponse

type Failure = Effect.Error<ReturnType<AnyHandler>>

/** A response with the resolved parts of its request. */
export interface CachedResponse extends Pick<IncomingRequest, "version" | "caller" | "found" | "target"> {
  readonly response: Response
  /** Headers as alternating names and values, and the bytes of the body. */
  readonly headers: ReadonlyArray<string>
  readonly body: Uint8Array
}

interface Entry extends CachedResponse {
  readonly revision: string
  readonly sources: ReadonlyArray<CacheDependency>
  /** Expiry, in epoch milliseconds. */
  readonly until: number
}

/** Maximum number of keys seen once; a response is cached at the second request. */
const maxRequestedKeys = 2000

/** Maximum bytes of all cached bodies, and of one body. */
const maxBytes = 8 * 1024 * 1024
const maxBody = 1024 * 1024

/** Maximum length of a key in characters; clients do not repeat longer requests. */
const maxKey = 8 * 1024

/** Approximate bytes of an entry without its body. */
const overhead = 4 * 1024

const maxAge = 60_000

/** Groups whose responses depend on the store and git data only. */
const groups = new Set([
  "branches",
  "commits",
  "contents",
  "gitCommits",
  "gitRefs",
  "gitTags",
  "gitTrees",
  "repositories",
  "tags"
])

/** The parts of a request that a response can depend on. */
export interface RequestHead {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A value that no header can have. */
const none = "\0"

/** The cache key of a request: all that its response depends on besides the state of the forge. */
export const keyOf = (dialect: Dialect, { headers, url }: RequestHead, origin: string): string =>
  `${headers.authorization ?? none}\n${headers.accept ?? none}\n${headers[vocabularies[dialect].versionHeader] ?? none}\n${origin}${url}`

/** A lookup of a request. */
export interface CacheLookup {
  readonly key: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Revision of the store before the first read. */
  readonly revision: string
}

export const make = (revision: StoreRevision["Service"]) => {
  const requestedKeys = new LruCache<true>(maxRequestedKeys)
  const responses = new LruCache<Entry>(maxBytes)
  const coalesce = SingleFlight.make<Response, Failure>()

  /** The cached response of a key, if it is still valid (since the tick, if given). */
  const find = ({ key, now }: Omit<CacheLookup, "revision">, tick?: EventLoopTick): CachedResponse | undefined => {
    const known = responses.get(key)
    if (known === undefined || now >= known.until || known.revision !== revision.current(tick)) return undefined
    return known.sources.every((source) => source.isCurrent(tick)) ? known : undefined
  }

  const keep = (
    { key, now, revision }: CacheLookup,
    incoming: IncomingRequest,
    response: Response,
    sources: Set<CacheDependency>
  ) => {
    const { body, headers, status } = response
    if (status !== 200 || body._tag !== "Uint8Array" || body.contentLength > maxBody) return
    if (key.length > maxKey) return
    if (requestedKeys.get(key) === undefined) return requestedKeys.set(key, true)
    const { caller, found, target, version } = incoming
    const expiry = caller === undefined || caller.kind === "anonymous" ? undefined : caller.expiresAt
    // Keeps only the bytes, not also the string.
    const bytes = HttpServerResponse.uint8Array(body.body, { headers })
    const entry = {
      version,
      caller,
      found,
      target,
      revision,
      sources: [...sources],
      until: Math.min(now + maxAge, expiry ?? Number.POSITIVE_INFINITY),
      response: bytes,
      headers: Object.entries(bytes.headers).flat(),
      body: body.body
    }
    responses.set(key, entry, body.contentLength + key.length + overhead)
  }

  return {
    find,

    /** Must be called before the first read of a request. */
    ask: (key: string, now: number): CacheLookup => ({ key, now, revision: revision.current() }),

    /** Computes a response, and caches it if possible. */
    keep: (question: CacheLookup, incoming: IncomingRequest, answer: Effect.Effect<Response, Failure>) => {
      if (incoming.found === undefined || !groups.has(incoming.found.route.entry.group)) return answer
      const make = Effect.suspend(() => {
        const known = find(question)
        if (known !== undefined) return Effect.succeed(known.response)
        const sources = new Set<CacheDependency>()
        return Effect.tap(Effect.provideService(answer, CacheDependencies, sources), (response) =>
          Effect.sync(() => keep(question, incoming, response, sources))
        )
      })
      return coalesce(question.key, make)
    }
  }
}
