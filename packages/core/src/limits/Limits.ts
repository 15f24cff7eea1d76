/** The numbers of `spec/1 §8`, `spec/3 §4.12` and `spec/4` (Rate limits), and those by which we keep to them. */

/** Requests that may be in flight at once for one credential (`spec/1 §8.3`). */
export const CONCURRENCY = 100

/** Of those, what is left to interactive requests: a person does not wait behind a program that fills all the others. */
export const INTERACTIVE_CONCURRENCY = 5

export const MINUTE = 60_000
export const HOUR = 3_600_000

/** Points that one endpoint takes in a minute (`spec/1 §8.3`). */
export const POINTS_PER_MINUTE = 900

/** Points of a request (`spec/1 §8.3`). */
export const points = (method: string): number => (isRead(method) ? 1 : 5)

/** Requests that create content (`spec/1 §8.3`). */
export const CONTENT_PER_MINUTE = 80
export const CONTENT_PER_HOUR = 500

/** True for methods that count as content creation. The documents do not list them: all writes except deletes. */
export const createsContent = (method: string): boolean => !isRead(method) && method !== "DELETE"

/**
 * A request whose deadline is nearer than this, in milliseconds, is not held back by the estimate of computing time alone.
 * A command gives its requests a minute, so the estimate can delay them by ten seconds and can never fail them.
 */
export const ESTIMATE_MARGIN = 50_000

/** Milliseconds of computing that the forge spends on one credential in a minute (`spec/1 §8.3`). */
export const CPU_PER_MINUTE = 90_000

/** Milliseconds of computing that may be in an answer that tells the round trip: `GET /rate_limit` is not made of nothing. */
export const UNMETERED_CPU = 10

/** The share of what is left of it that requests in flight may be expected to take, and how many may be in any case. */
export const IN_FLIGHT_CPU_SHARE = 1 / 20
export const MIN_CONCURRENCY = 4

/** Requests for access tokens (`spec/1 §8.3`). */
export const TOKENS_PER_HOUR = 2000

/** Whether an endpoint gives out access tokens: those of installations, and those of OAuth. */
export const issuesToken = (endpoint: string): boolean => /^POST .*\/access_tokens?$/.test(endpoint)

/** The resource of a request that no primary window counts, as `GET /rate_limit`. */
export const UNMETERED = "none"

/**
 * Requests of a resource that may be in flight before an answer has told its window: the smallest window that the
 * documents give it, so that even the first burst of an anonymous caller fits.
 */
export const assumedLimit = (resource: string): number => (resource.includes("search") ? 10 : 60)

/** The share of each limit that background requests leave to others. */
export const BACKGROUND_RESERVE = 0.1

/** How long to wait after a refusal that names no time, in milliseconds (`spec/1 §8.4`). */
export const DEFAULT_PAUSE = 60_000

/** The shortest pause after a second refusal in a row, in milliseconds; each further one doubles it. */
export const MIN_PAUSE = 1_000

/** By which share a pause that repeated refusals made longer is made longer still, at random. */
export const PAUSE_JITTER = 0.1

/** The longest pause, in milliseconds. */
export const MAX_PAUSE = 60 * MINUTE

/**
 * The longest wait that a forge can name, in milliseconds: an hour, the longest documented window, and a second because
 * dates have no fractions. A window that ends later is taken to end then; a refusal that names a longer wait fails at once.
 */
export const MAX_WAIT = HOUR + 1_000

/** How long a call may wait for its budget by default, in milliseconds: every documented limit lifts within an hour. */
export const DEFAULT_MAX_WAIT = HOUR + MINUTE

/** Times that one request is sent before its refusals become a `RateLimited`. */
export const MAX_ATTEMPTS = 5

/** Resources of one scope that are counted separately; for one more, the first that was not requested by name is forgotten. */
export const MAX_RESOURCES = 64

/** Characters of a resource's name; a longer name is ignored. */
export const MAX_RESOURCE_NAME = 64

/** Sliding counts of one scope, one for each endpoint and a few more; of more, those that were idle longest go first. */
export const MAX_COUNTERS = 512

/** Scopes that the memory store remembers; of more, idle ones are forgotten, the oldest first. */
export const MAX_SCOPES = 1_000

/** How often a process that shares a budget with others says that it is still there, in milliseconds. */
export const HEARTBEAT_INTERVAL = 1_000

/** How long its leases hold without a word of it, in milliseconds: with the time between two looks, under five seconds. */
export const HOLDER_TTL = 3_500

const isRead = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS"
