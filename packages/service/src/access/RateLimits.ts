/**
 * Enforces the rate limits. Limits are off by default, as on a self-hosted forge. The counters are in the memory of
 * this process; those of a cluster are in its database (`SharedRateLimits.ts`).
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimitResource } from "@tongs/core/contract/Operation"
import type { RateLimitStatus, Window as WindowShape } from "@tongs/core/contract/groups/RateLimit"
import {
  isSearch,
  windowResource,
  hasRaisedLimit,
  budgetKey,
  windowLimit,
  callerName,
  type LimitedResource,
  type RateLimitNumbers,
  type WindowResource
} from "./RateLimitPolicy.ts"
import type { Caller } from "./Caller.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

/** The rate limit that a request exceeds, and the time until a retry. */
export interface ExceededLimit {
  readonly message: string
  readonly status: 403 | 429
  /** Seconds until a retry. Undefined for the primary limit. */
  readonly retryAfter: number | undefined
}

/** The properties of a request that decide which rate limits apply. */
export interface CountedRequest {
  readonly caller: Caller
  /** IP address of the client, which identifies anonymous callers. */
  readonly address: string
  readonly resource: RateLimitResource
  /** Route of the request. Points are counted per route. */
  readonly endpoint: string
  readonly method: string
  readonly points: number | undefined
  /** True for a request that creates an access token. */
  readonly givesToken?: boolean
}

/** The result of checking the rate limits for one request. */
export interface RateLimitDecision {
  readonly exceeded: ExceededLimit | undefined
  /** Returns the rate limit headers. Must be called when the response is sent, to include the latest counts. */
  readonly headers: () => Record<string, string>
  /**
   * Counts a query whose cost is only known after the admission, which counted one point. `cost` is of the primary limit,
   * `points` of the secondary one. Returns the primary limit if the cost exceeds it, and counts no more then.
   */
  readonly charge: (cost: number, points: number) => Effect.Effect<ExceededLimit | undefined>
  /**
   * Ends the request. Must be called after the response. If `free` (for a 304), the primary limit does not count the
   * request.
   */
  readonly settle: (free: boolean) => Effect.Effect<void>
}

export interface Window {
  used: number
  /** Maximum requests until `reset`, in epoch milliseconds. */
  readonly limit: number
  readonly reset: number
}

interface Account {
  readonly windows: Map<string, Window>
  readonly points: Map<string, SlidingWindowCounter.SlidingWindowCounter>
  readonly cpu: SlidingWindowCounter.SlidingWindowCounter
  readonly graphqlCpu: SlidingWindowCounter.SlidingWindowCounter
  readonly contentMinute: SlidingWindowCounter.SlidingWindowCounter
  readonly contentHour: SlidingWindowCounter.SlidingWindowCounter
  readonly tokens: SlidingWindowCounter.SlidingWindowCounter
  running: number
}

/** Maximum number of callers with counters. The least recently used ones are evicted. */
const MAX_ACCOUNTS = 10_000

const unlimited: RateLimitDecision = {
  exceeded: undefined,
  headers: () => ({}),
  charge: () => Effect.undefined,
  settle: () => Effect.void
}

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** False if the rate limits are off. `admit` then admits all requests and counts none. */
    readonly enforced: boolean
    admit(counted: CountedRequest): Effect.Effect<RateLimitDecision>
    /** Returns the state of a caller's primary limits, or `undefined` if the rate limits are off. */
    status(caller: Caller, address: string): Effect.Effect<RateLimitStatus | undefined>
  }
>()("@tongs/service/access/RateLimits") {
  /** Admits all requests. */
  static readonly off = RateLimits.of({
    enforced: false,
    admit: () => Effect.succeed(unlimited),
    status: () => Effect.undefined
  })

  static readonly layerOff = Layer.succeed(RateLimits, RateLimits.off)

  static readonly layer = (numbers: RateLimitNumbers) => Layer.sync(RateLimits, () => RateLimits.make(numbers))

  /**
   * Creates empty counters. With `remaining`, the first window of each primary limit allows only this many requests.
   */
  static readonly make = (numbers: RateLimitNumbers, remaining: number = Number.POSITIVE_INFINITY) => {
    const accounts = new Map<string, Account>()

    const accountOf = (caller: Caller, address: string): Account => {
      const key = budgetKey(caller, address)
      const known = accounts.get(key)
      const account = known ?? open(numbers)
      accounts.delete(key)
      accounts.set(key, account)
      const oldest = accounts.keys().next()
      if (accounts.size > MAX_ACCOUNTS && oldest.done === false) accounts.delete(oldest.value)
      return account
    }

    const windowOf = (account: Account, caller: Caller, resource: WindowResource, now: number): Window => {
      const known = account.windows.get(resource)
      if (known !== undefined && now < known.reset) return known
      const length = isSearch(resource) ? numbers.searchWindow : numbers.window
      const limit = windowLimit(numbers, caller, resource)
      const used = known === undefined ? Math.max(0, limit - remaining) : 0
      const window = { used, limit, reset: now + length }
      account.windows.set(resource, window)
      return window
    }

    const admit = Effect.fnUntraced(function* (counted: CountedRequest) {
      const { caller, endpoint, givesToken = false, method, resource } = counted
      const now = yield* Clock.currentTimeMillis
      const account = accountOf(caller, counted.address)
      const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS"
      const isGraphQl = resource === "graphql"
      // Mutations count towards the limits of GraphQL only.
      const createsContent = !isRead && method !== "DELETE" && !givesToken && !isGraphQl
      const pointsPerMinute = isGraphQl ? numbers.graphqlPointsPerMinute : numbers.pointsPerMinute
      const points = counted.points ?? (isRead ? 1 : 5)
      const window = resource === "none" ? undefined : windowOf(account, caller, windowResource(caller, resource), now)
      const headers = () => (window === undefined ? {} : windowHeaders(resource, window))

      if (window !== undefined && window.used >= window.limit) {
        return { ...unlimited, headers, exceeded: primary(caller, counted.address) }
      }
      let spent = account.points.get(endpoint)
      if (spent === undefined) account.points.set(endpoint, (spent = SlidingWindowCounter.make(numbers.minute)))
      const wait =
        account.running >= numbers.concurrent
          ? 1000
          : Math.max(
              spent.wait(now, pointsPerMinute - points),
              account.cpu.wait(now, numbers.cpuPerMinute),
              isGraphQl ? account.graphqlCpu.wait(now, numbers.graphqlCpuPerMinute) : 0,
              createsContent ? account.contentMinute.wait(now, numbers.contentPerMinute - 1) : 0,
              createsContent ? account.contentHour.wait(now, numbers.contentPerHour - 1) : 0,
              givesToken ? account.tokens.wait(now, numbers.tokensPerHour - 1) : 0
            )
      if (wait > 0) return { ...unlimited, headers, exceeded: secondary(wait) }

      account.running += 1
      // Requests that use the raised limit of an enterprise also count towards the normal limit.
      const lower = resource === "core" && hasRaisedLimit(caller) ? windowOf(account, caller, "core", now) : undefined
      const windows = [window, lower].filter((one) => one !== undefined)
      for (const one of windows) one.used += 1
      spent.add(now, points)
      if (givesToken) account.tokens.add(now, 1)
      if (createsContent) {
        account.contentMinute.add(now, 1)
        account.contentHour.add(now, 1)
      }
      const settle = (free: boolean) =>
        Effect.map(Clock.currentTimeMillis, (then) => {
          account.running -= 1
          account.cpu.add(then, then - now)
          if (isGraphQl) account.graphqlCpu.add(then, then - now)
          if (free) for (const one of windows) one.used -= 1
        })
      const charge = (cost: number, ofQuery: number) =>
        Effect.sync(() => {
          if (window !== undefined && window.used + cost - 1 > window.limit) return primary(caller, counted.address)
          if (window !== undefined) window.used += cost - 1
          spent.add(now, ofQuery - points)
          return undefined
        })
      return { headers, exceeded: undefined, charge, settle }
    })

    const status = Effect.fnUntraced(function* (caller: Caller, address: string) {
      const now = yield* Clock.currentTimeMillis
      const account = accountOf(caller, address)
      const of = (resource: LimitedResource) => shape(windowOf(account, caller, windowResource(caller, resource), now))
      const core = of("core")
      return {
        resources: {
          core,
          search: of("search"),
          code_search: of("code_search"),
          graphql: of("graphql"),
          // No endpoint of the forge counts in this window, but some clients require the window.
          integration_manifest: { ...core, used: 0, remaining: core.limit }
        }
      } satisfies RateLimitStatus
    })

    return RateLimits.of({ enforced: true, admit, status })
  }
}

const open = ({ minute }: RateLimitNumbers): Account => ({
  windows: new Map(),
  points: new Map(),
  cpu: SlidingWindowCounter.make(minute),
  graphqlCpu: SlidingWindowCounter.make(minute),
  contentMinute: SlidingWindowCounter.make(minute),
  contentHour: SlidingWindowCounter.make(60 * minute),
  tokens: SlidingWindowCounter.make(60 * minute),
  running: 0
})

/** The state of a primary limit in responses. */
export const shape = ({ limit, reset, used }: Window): WindowShape => ({
  limit,
  used,
  remaining: Math.max(0, limit - used),
  reset: Math.ceil(reset / 1000)
})

/** The headers of a primary limit. */
export const windowHeaders = (resource: string, window: Window) => {
  const { limit, remaining, reset, used } = shape(window)
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-used": String(used),
    "x-ratelimit-reset": String(reset),
    "x-ratelimit-resource": resource
  }
}

/** The error for an exceeded primary limit. */
export const primary = (caller: Caller, address: string): ExceededLimit => ({
  status: 403,
  message: `API rate limit exceeded for ${callerName(caller, address)}.`,
  retryAfter: undefined
})

/** The error for an exceeded secondary limit, with the milliseconds until a retry. */
export const secondary = (wait: number): ExceededLimit => ({
  status: 429,
  message: "You have exceeded a secondary rate limit. Please wait before you try again.",
  retryAfter: Math.ceil(wait / 1000)
})
