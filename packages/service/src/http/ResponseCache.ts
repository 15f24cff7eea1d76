/**
 * Caches responses to reads until the database changes, or a git reference that was read for the response. Apart from
 * these and the request, responses of the cached groups must not depend on anything. Changes by time alone, such as the
 * expiry of a signing key, become visible within a minute, which is also the `max-age` for clients.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Dialect, vocabularies } from "@tongs/core/contract/Dialect"
import * as SingleFlight from "../base/SingleFlight.ts"
import { LruCache } from "../base/LruCache.ts"
import type { CacheDependency } from "../git/values/CacheDependencies.ts"
import * as CacheDependencies from "../git/values/CacheDependencies.ts"
import * as RecentKeys from "../base/RecentKeys.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import type { StoreRevision } from "../storage/StoreRevision.ts"
import type { TargetedRequest } from "./RequestStages.ts"
import type { AnyHandler } from "../api/Handlers.ts"
import { pairsOf } from "./Responses.ts"

type Response = HttpServerResponse.HttpServerResponse

type Failure = Effect.Error<ReturnType<AnyHandler>>

/** A cached response, with the results of the request's steps. */
export interface CachedResponse extends Pick<TargetedRequest, "version" | "caller" | "found" | "target"> {
  readonly response: Response
  /** The response in the form that Node writes: alternating header names and values, and the bytes of the body. */
  readonly headers: ReadonlyArray<string>
  readonly body: Uint8Array
}

interface Entry extends CachedResponse {
  readonly revision: string
  readonly sources: ReadonlyArray<CacheDependency>
  /** Time of expiry, in epoch milliseconds. */
  readonly until: number
}

/** Maximum number of remembered request keys. A response is cached when the key is requested the second time. */
const MAX_REQUESTED_KEYS = 2000

/** Maximum size of all cached bodies together, and of one body, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_BODY = 1024 * 1024

/** Maximum length of a cache key, in characters. Clients rarely repeat longer requests. */
const MAX_KEY = 8 * 1024

/** Approximate memory of a cached response without the body, in bytes. */
const OVERHEAD = 4 * 1024

const MAX_AGE = 60_000

/** Operation groups whose responses depend only on the database and git data. */
const groups = new Set([
  "assignees",
  "branches",
  "checkRuns",
  "checkSuites",
  "commits",
  "contents",
  "gitCommits",
  "gitRefs",
  "gitTags",
  "gitTrees",
  "issueComments",
  "issueDependencies",
  "issueEvents",
  "issues",
  "issueTypes",
  "labels",
  "milestones",
  "pulls",
  "reactions",
  "repositories",
  "statuses",
  "subIssues",
  "tags"
])

/** The parts of a request that a response can depend on. */
export interface RequestHead {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Stands for a missing header. No header can have this value. */
const NONE = "\0"

/** Returns the cache key of a request: everything in the request that can affect the response. */
const keyOf = (dialect: Dialect, { headers, url }: RequestHead, origin: string): string =>
  `${headers.authorization ?? NONE}\n${headers.accept ?? NONE}\n${headers[vocabularies[dialect].versionHeader] ?? NONE}\n${origin}${url}`

/** A request's lookup in the cache. */
export interface CacheLookup {
  readonly key: string
  /** Origin of the request, which links in the response start with. */
  readonly origin: string
  /** Time of the request, in epoch milliseconds. */
  readonly now: number
  /** Revision of the database before the request's first read. */
  readonly revision: string
}

export type ResponseCache = ReturnType<typeof make>

export const make = (revision: StoreRevision["Service"]) => {
  const isRepeated = RecentKeys.make(MAX_REQUESTED_KEYS)
  const responses = new LruCache<Entry>(MAX_BYTES)
  const coalesce = SingleFlight.make<Response, Failure>()

  /** Returns the cached response of a lookup if still valid at a revision of the database. */
  const find = ({ key, now, revision }: CacheLookup, current = revision): CachedResponse | undefined => {
    const known = responses.get(key)
    if (known === undefined || now >= known.until || known.revision !== current) return undefined
    return known.sources.every((source) => source.isCurrent()) ? known : undefined
  }

  const store = (
    { key, now, revision }: CacheLookup,
    request: TargetedRequest,
    response: Response,
    sources: Set<CacheDependency>
  ) => {
    const { body, headers, status } = response
    if (status !== 200 || body._tag !== "Uint8Array" || body.contentLength > MAX_BODY) return
    if (key.length > MAX_KEY) return
    if (!isRepeated(key)) return
    const { caller, found, target, version } = request
    const expiry = caller.kind === "anonymous" ? undefined : caller.expiresAt
    // Copies the body as bytes, so that the cache does not also hold the string.
    const bytes = HttpServerResponse.uint8Array(body.body, { headers })
    const entry = {
      version,
      caller,
      found,
      target,
      revision,
      sources: [...sources],
      until: Math.min(now + MAX_AGE, expiry ?? Number.POSITIVE_INFINITY),
      response: bytes,
      headers: pairsOf(bytes.headers),
      body: body.body
    }
    responses.set(key, entry, body.contentLength + key.length + OVERHEAD)
  }

  return {
    find,

    /**
     * Starts a lookup. Must be called before the request's first read, so that later changes invalidate the response.
     */
    lookup: (dialect: Dialect, head: RequestHead, origin: string, now: number): CacheLookup => ({
      key: keyOf(dialect, head, origin),
      origin,
      now,
      revision: revision.current()
    }),

    /** Returns the cached response, or runs `answer` and caches the response if possible. */
    getOrRun: (
      question: CacheLookup,
      request: TargetedRequest,
      answer: () => Effect.Effect<Response, Failure>
    ): Effect.Effect<Response, Failure> => {
      if (!groups.has(request.found.route.entry.group)) return answer()
      const make = () => {
        // The request may have waited for another one since the lookup.
        const known = find(question, revision.current())
        if (known !== undefined) return Effect.succeed(known.response)
        const sources = new Set<CacheDependency>()
        return ReadyEffects.map(CacheDependencies.collect(sources, answer), (response) => {
          store(question, request, response, sources)
          return response
        })
      }
      return coalesce(question.key, make)
    }
  }
}
