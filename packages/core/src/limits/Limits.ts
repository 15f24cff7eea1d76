/** The documented limits (`spec/1 §8`, `spec/3 §4.12`, `spec/4` Rate limits) and the constants of the scheduler. */

/** Maximum number of concurrent requests per credential (`spec/1 §8.3`). */
export const CONCURRENCY = 100

/** Concurrent requests reserved for interactive ones, so that a user does not wait for a busy program. */
export const INTERACTIVE_CONCURRENCY = 5

/** Milliseconds. */
export const MINUTE = 60_000
/** Milliseconds. */
export const HOUR = 3_600_000

/** Maximum points per endpoint and minute (`spec/1 §8.3`). */
export const POINTS_PER_MINUTE = 900

/** Points of a request (`spec/1 §8.3`). */
export const points = (method: string): number => (isRead(method) ? 1 : 5)

/** Maximum content-creating requests per minute (`spec/1 §8.3`). */
export const CONTENT_PER_MINUTE = 80

/** Maximum content-creating requests per hour (`spec/1 §8.3`). */
export const CONTENT_PER_HOUR = 500

/** True for methods that count as content creation. The documents do not list them: all writes but deletes. */
export const createsContent = (method: string): boolean => !isRead(method) && method !== "DELETE"

/**
 * The estimate of CPU time alone does not delay a request whose deadline is nearer than this, in milliseconds. Commands
 * give their requests a minute, so the estimate delays them by at most ten seconds and never fails them.
 */
export const ESTIMATE_MARGIN = 50_000

/** Maximum CPU time of the forge per credential and minute, in milliseconds (`spec/1 §8.3`). */
export const CPU_PER_MINUTE = 90_000

/** CPU time in milliseconds that an unmetered response may take; the rest of its latency is the round trip. */
export const UNMETERED_CPU = 10

/** Share of the remaining CPU time that requests in flight may take, when half of it is used. */
export const IN_FLIGHT_CPU_SHARE = 1 / 20

/** Concurrent requests that the estimate of CPU time always allows. */
export const MIN_CONCURRENCY = 4

/** Maximum requests for access tokens per hour (`spec/1 §8.3`). */
export const TOKENS_PER_HOUR = 2000

/** True for endpoints that issue access tokens, of installations or by OAuth. */
export const issuesToken = (endpoint: string): boolean => /^POST .*\/access_tokens?$/.test(endpoint)

/** The resource of a request without a primary limit, for example `GET /rate_limit`. */
export const UNMETERED = "none"

/**
 * Maximum requests of a resource in flight before a response shows its window: the smallest documented window, so that
 * even the first burst of an anonymous caller fits.
 */
export const assumedLimit = (resource: string): number => (resource.includes("search") ? 10 : 60)

/** Share of each limit that background requests leave to others. */
export const BACKGROUND_RESERVE = 0.1

/** Pause in milliseconds after a rate limit response without a time (`spec/1 §8.4`). */
export const DEFAULT_PAUSE = 60_000

/** Shortest pause in milliseconds after a second rate limit response in a row. Each further one doubles it. */
export const MIN_PAUSE = 1_000

/** Maximum random share by which a doubled pause is extended. */
export const PAUSE_JITTER = 0.1

/** Longest pause by doubling, in milliseconds. */
export const MAX_PAUSE = 60 * MINUTE

/**
 * Longest wait in milliseconds that the client accepts from a forge: an hour, the longest documented window, and a second
 * because dates have no fractions. A later end of a window is moved there; a rate limit response that asks for a longer
 * wait fails the request at once.
 */
export const MAX_WAIT = HOUR + 1_000

/** Default of the longest wait for budget in milliseconds. Every documented limit lifts within an hour. */
export const DEFAULT_MAX_WAIT = HOUR + MINUTE

/** Attempts of a request before its rate limit responses become a `RateLimited`. */
export const MAX_ATTEMPTS = 5

/** Resources per scope. For one more, the oldest that the request does not use is evicted. */
export const MAX_RESOURCES = 64

/** Characters of a resource name. A longer one is ignored. */
export const MAX_RESOURCE_NAME = 64

/** Counters per scope, one per endpoint and a few more. For one more, the counter that was idle longest is evicted. */
export const MAX_COUNTERS = 512

/** Scopes in the memory store. For one more, the oldest idle scope is evicted. */
export const MAX_SCOPES = 1_000

/** Interval of the heartbeats of a process that shares a budget, in milliseconds. */
export const HEARTBEAT_INTERVAL = 1_000

/** Time without a heartbeat after which a process loses its leases, in milliseconds. With the polling interval: under 5 s. */
export const HOLDER_TTL = 3_500

const isRead = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS"
