/**
 * Answers to reads, kept until something that they were made of changes: the store, or a reference of a repository that
 * was looked at on the way. Nothing else may go into an answer of the groups that are kept here, beside the request
 * itself; what only time changes (whether the key of a signature has expired) shows after a minute at most, which is
 * also for how long a client need not ask again.
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

/** An answer, and what was found out about the request on the way to it. */
export interface CachedResponse extends Pick<IncomingRequest, "version" | "caller" | "found" | "target"> {
  readonly response: Response
  /** Its headers, names and values in turn, and the bytes of its body. */
  readonly headers: ReadonlyArray<string>
  readonly body: Uint8Array
}

interface Entry extends CachedResponse {
  readonly revision: string
  readonly sources: ReadonlyArray<CacheDependency>
  /** Epoch milliseconds. */
  readonly until: number
}

/** Questions that are remembered: what is asked but once is not worth keeping. */
const maxRequestedKeys = 2000

/** Bytes of bodies that are kept, and bytes of the largest that is. */
const maxBytes = 8 * 1024 * 1024
const maxBody = 1024 * 1024

/** Characters of a key that is remembered: longer questions are not asked again by anybody who means well. */
const maxKey = 8 * 1024

/** About what an entry takes beside its body. */
const overhead = 4 * 1024

const maxAge = 60_000

/** Groups whose reads are made of the store and of git data alone. */
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

/** Of a request, what an answer can depend on. */
export interface RequestHead {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What no header has in it. */
const none = "\0"

/** Names a read by all that its answer depends on beside the state of the forge. `origin`: by which the caller came. */
export const keyOf = (dialect: Dialect, { headers, url }: RequestHead, origin: string): string =>
  `${headers.authorization ?? none}\n${headers.accept ?? none}\n${headers[vocabularies[dialect].versionHeader] ?? none}\n${origin}${url}`

/** A read that is to be answered. */
export interface CacheLookup {
  readonly key: string
  /** Epoch milliseconds. */
  readonly now: number
  /** That of the store before anything of it was looked at. */
  readonly revision: string
}

export const make = (revision: StoreRevision["Service"]) => {
  const requestedKeys = new LruCache<true>(maxRequestedKeys)
  const responses = new LruCache<Entry>(maxBytes)
  const coalesce = SingleFlight.make<Response, Failure>()

  /** The answer of a key, if it would be the same now: in a turn, since the turn began. */
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
    // The bytes, and not the text that they were made of as well.
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

    /** To be called before anything else is done for a request. */
    ask: (key: string, now: number): CacheLookup => ({ key, now, revision: revision.current() }),

    /** Makes the answer to a question, and keeps it if it is of a kind that can be kept. */
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
