/** The documented rate limits of GitHub and the constants of the scheduler. */

/** Maximum number of concurrent requests per credential. */
export const CONCURRENCY = 100

/** Number of concurrent requests reserved for interactive ones, so that a user does not wait for a busy program. */
export const INTERACTIVE_CONCURRENCY = 5

/** A minute in milliseconds. */
export const MINUTE = 60_000
/** An hour in milliseconds. */
export const HOUR = 3_600_000

/** Maximum points per endpoint and minute. */
export const POINTS_PER_MINUTE = 900

/** Maximum points of GraphQL queries per minute. */
export const GRAPHQL_POINTS_PER_MINUTE = 2_000

/** Returns the points that a request costs by default. */
export const points = (method: string): number => (isRead(method) ? 1 : 5)

/** Maximum content-creating requests per minute. */
export const CONTENT_PER_MINUTE = 80

/** Maximum content-creating requests per hour. */
export const CONTENT_PER_HOUR = 500

/**
 * Returns whether a method counts as content creation: any write except a delete, because the specification lists none.
 */
export const createsContent = (method: string): boolean => !isRead(method) && method !== "DELETE"

/**
 * The estimate of CPU time alone does not delay a request whose deadline is nearer than this number of milliseconds.
 * Commands set a deadline of a minute, so the estimate delays a command's requests by at most ten seconds and never
 * fails a request.
 */
export const ESTIMATE_MARGIN = 50_000

/** Maximum CPU time of the forge per credential and minute, in milliseconds. */
export const CPU_PER_MINUTE = 90_000

/** Maximum CPU time of GraphQL queries, which `CPU_PER_MINUTE` includes. */
export const GRAPHQL_CPU_PER_MINUTE = 60_000

/** Maximum CPU time of an unmetered response in milliseconds; the rest of the latency is the network round trip. */
export const UNMETERED_CPU = 10

/** Share of the remaining CPU time that requests in flight may take once half of the CPU time is used. */
export const IN_FLIGHT_CPU_SHARE = 1 / 20

/** Number of concurrent requests that the estimate of CPU time always allows. */
export const MIN_CONCURRENCY = 4

/** Maximum requests for access tokens per hour. */
export const TOKENS_PER_HOUR = 2000

/** Returns whether an endpoint issues access tokens, for an installation or by OAuth. */
export const issuesToken = (endpoint: string): boolean => /^POST .*\/access_tokens?$/.test(endpoint)

/** The resource of a request that no primary limit counts, for example `GET /rate_limit`. */
export const UNMETERED = "none"

/**
 * Returns the maximum requests of a resource in flight before a response reports the window: the smallest documented
 * window, so that even the first burst of an anonymous caller fits.
 */
export const assumedLimit = (resource: string): number => (resource.includes("search") ? 10 : 60)

/** Share of each limit that background requests leave to requests of higher priority. */
export const BACKGROUND_RESERVE = 0.1

/** Pause in milliseconds after a rate limit response that does not say how long to wait. */
export const DEFAULT_PAUSE = 60_000

/**
 * Minimum pause in milliseconds after a second consecutive rate limit response. Each further response doubles the
 * pause.
 */
export const MIN_PAUSE = 1_000

/** Maximum jitter of a doubled pause, as a share of its length. */
export const PAUSE_JITTER = 0.1

/** Maximum pause that doubling can reach, in milliseconds. */
export const MAX_PAUSE = 60 * MINUTE

/**
 * Maximum wait in milliseconds that the client accepts from a forge: an hour (the longest documented window) and one
 * second, because HTTP dates have no fractional seconds. A window that ends later is shortened to this wait. A rate
 * limit response that requests a longer wait fails the request immediately.
 */
export const MAX_WAIT = HOUR + 1_000

/** Default maximum wait for the rate-limit budget in milliseconds. Every documented limit lifts within an hour. */
export const DEFAULT_MAX_WAIT = HOUR + MINUTE

/** Maximum attempts of a request that rate limits reject. The last rejection fails the request with `RateLimited`. */
export const MAX_ATTEMPTS = 5

/**
 * Maximum resources per rate-limit scope. Above the maximum, evicts the oldest resource that the request does not use.
 */
export const MAX_RESOURCES = 64

/** Maximum length of a resource name in characters. A longer name is ignored. */
export const MAX_RESOURCE_NAME = 64

/**
 * Maximum counters per rate-limit scope, one per endpoint and a few more. Above the maximum, evicts the counter that
 * was idle longest.
 */
export const MAX_COUNTERS = 512

/** Maximum rate-limit scopes in the memory store. Above the maximum, evicts the oldest idle scope. */
export const MAX_SCOPES = 1_000

/** Interval of the heartbeats of a process that shares a budget, in milliseconds. */
export const HEARTBEAT_INTERVAL = 1_000

/** Milliseconds without a heartbeat after which a process loses all leases. Under 5 s with the polling interval. */
export const HOLDER_TTL = 3_500

const isRead = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS"
