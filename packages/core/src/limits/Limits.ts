/** The numbers of `spec/1 §8`, `spec/3 §4.12` and `spec/4` (Rate limits), and those by which we keep to them. */

/** Requests that may be in flight at once for one credential (`spec/1 §8.3`). */
export const CONCURRENCY = 100

/** Points that one endpoint takes in a minute (`spec/1 §8.3`). */
export const POINTS_PER_MINUTE = 900

/** Points of a request (`spec/1 §8.3`). */
export const points = (method: string): number =>
  method === "GET" || method === "HEAD" || method === "OPTIONS" ? 1 : 5

/** The resource of a request that no primary window counts, as `GET /rate_limit`. */
export const FREE = "none"

/**
 * Requests of a resource that may be in flight before an answer has told its window: the smallest window that the
 * documents give it, so that even the first burst of an anonymous caller fits.
 */
export const assumed = (resource: string): number => (resource.includes("search") ? 10 : 60)

/** The share of a window that background requests leave to others. */
export const RESERVE = 0.1

/** How long to wait after a refusal that names no time, in milliseconds (`spec/1 §8.4`). */
export const PAUSE = 60_000

/** The longest that repeated refusals make a pause that names no longer time itself, in milliseconds. */
export const MAX_PAUSE = 3_600_000

/** Times that one request is sent before its refusals become a `RateLimited`. */
export const MAX_TRIES = 5

/** Resources of one scope that are told apart; a forge that names more has the others ignored. */
export const MAX_RESOURCES = 64

/** Scopes that the memory store remembers; of more, idle ones are forgotten, the oldest first. */
export const MAX_SCOPES = 1_000
