/**
 * A forge that enforces limits with the service's own accounting, on a simulated network. Shares no code with the
 * scheduler.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { RateLimitResource } from "@tongs/core/contract/Operation"
import { type RateLimitNumbers, specNumbers } from "@tongs/service/access/RateLimitPolicy"
import { RateLimits } from "@tongs/service/access/RateLimits"

export interface Options {
  readonly numbers?: RateLimitNumbers
  /** Network latency of a request, and CPU time of the forge (milliseconds). */
  readonly latency?: number
  readonly cpuMillis?: (route: string) => number
  /** Network latency of a response (milliseconds). By default `latency`. */
  readonly responseLatency?: (route: string) => number
  /** Milliseconds by which the forge's clock is ahead. */
  readonly clockSkew?: number
}

/** A request at the forge, in local time. */
export interface SeenRequest {
  readonly route: string
  readonly path: string
  readonly at: number
  readonly refused: boolean
}

/** An organization's OAuth app: 15,000 requests per hour, 30 searches per minute. */
export const caller = {
  kind: "anonymous",
  app: { id: 1, slug: "strict", plan: "enterprise_cloud" }
} as const // a literal kind

/** A random number generator with a seed. */
export const seededRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const { clockSkew = 0, cpuMillis = () => 60, latency = 20, numbers = specNumbers } = options
  const { responseLatency = () => latency } = options
  const limits = yield* Effect.provide(RateLimits, RateLimits.layer(numbers))
  const seen: Array<SeenRequest> = []

  const answer = Effect.fnUntraced(function* (method: string, path: string, points?: number) {
    const route = routeOf(method, path)
    yield* Effect.sleep(latency)
    const resource = resources.get(path) ?? "core"
    const { exceeded, headers, settle } = yield* limits.admit({
      caller,
      address: "::1",
      resource,
      endpoint: route,
      method,
      points: points ?? (resource === "graphql" ? 1 : undefined)
    })
    const now = yield* Effect.clockWith((clock) => Effect.succeed(clock.currentTimeMillisUnsafe()))
    seen.push({ route, path, at: now, refused: exceeded !== undefined })
    // An interrupted request stops here.
    if (exceeded === undefined) yield* Effect.ensuring(Effect.sleep(cpuMillis(route)), settle(false))
    const limitHeaders: Record<string, string> = headers()
    const reset = limitHeaders["x-ratelimit-reset"]
    const then = yield* Effect.clockWith((clock) => Effect.succeed(clock.currentTimeMillisUnsafe()))
    yield* Effect.sleep(responseLatency(route))
    return new Response(JSON.stringify(exceeded === undefined ? {} : { message: exceeded.message }), {
      status: exceeded?.status ?? 200,
      headers: {
        ...limitHeaders,
        ...(reset === undefined ? {} : { "x-ratelimit-reset": String(Number(reset) + clockSkew / 1000) }),
        ...(exceeded?.retryAfter === undefined ? {} : { "retry-after": String(exceeded.retryAfter) }),
        "content-type": "application/json",
        date: new Date(then + clockSkew).toUTCString()
      }
    })
  })

  const client = HttpClient.make((request, url) =>
    Effect.map(answer(request.method, url.pathname), (response) => HttpClientResponse.fromWeb(request, response))
  )
  const refused = () => seen.filter((one) => one.refused)
  const served = (route: string) => seen.filter((one) => one.route === route && !one.refused)
  return { answer, client, seen, refused, served }
})

/** The resources that count requests, by path. */
const resources: ReadonlyMap<string, RateLimitResource> = new Map([
  ["/rate_limit", "none"],
  ["/search/code", "code_search"],
  ["/search/issues", "search"],
  ["/graphql", "graphql"]
])

/** The route of a path, without owner and repository. */
const routeOf = (method: string, path: string) =>
  `${method} ${path.replace(/^\/repos\/[^/]+\/[^/]+/, "/repos/:owner/:repo")}`
