/** What the headers of an answer say about limits (`spec/1 §8.4`). Pure. */

/** A primary window as the forge counts it. */
export interface Window {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** When it ends, in epoch milliseconds by the clock of the forge. */
  readonly reset: number
}

/**
 * How far the clock of the forge is ahead of ours, in milliseconds: at least `low`, at most `high`. One answer bounds it
 * only to about a second, because its `date` has no fractions; many together narrow it down.
 */
export interface Skew {
  readonly low: number
  readonly high: number
}

export interface Observation {
  /** The resource that the forge counted the request by, where it says so. */
  readonly resource?: string
  readonly window?: Window
  readonly remaining?: number
  /** Milliseconds to wait, from `retry-after`. */
  readonly retryAfter?: number
  readonly skew?: Skew
  /** Milliseconds from when the request left until its answer was there. */
  readonly elapsed?: number
  /** What the lack of a window means: no word of limits in an answer, or that there are none (`spec/4`, Rate limits). */
  readonly silence?: "silent" | "none"
}

/** Reads headers (names in lower case) of an answer to a request sent and received at these local times. */
export const observe = (
  headers: Readonly<Record<string, string | undefined>>,
  sent: number,
  received: number
): Observation => {
  const limit = natural(headers["x-ratelimit-limit"])
  const remaining = natural(headers["x-ratelimit-remaining"])
  const reset = natural(headers["x-ratelimit-reset"])
  const resource = headers["x-ratelimit-resource"]
  const date = headers["date"] === undefined ? Number.NaN : Date.parse(headers["date"])
  const retryAfter = wait(headers["retry-after"], Number.isNaN(date) ? received : date)
  return {
    ...(resource === undefined ? {} : { resource }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(limit === undefined || remaining === undefined || reset === undefined
      ? {}
      : {
          window: {
            limit,
            remaining,
            used: natural(headers["x-ratelimit-used"]) ?? Math.max(0, limit - remaining),
            reset: reset * 1000
          }
        }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(Number.isNaN(date) ? {} : { skew: { low: date - received, high: date + 1000 - sent } })
  }
}

/** What is known after one more sight of a window: answers overtake each other, so the slower of two counts wins. */
export const merge = (known: Window | undefined, seen: Window): Window => {
  if (known === undefined || seen.reset > known.reset) return seen
  if (seen.reset < known.reset) return known
  return seen.remaining <= known.remaining ? seen : known
}

/** Both bounds together. When they contradict each other a clock was set, and only the new one counts. */
export const refine = (known: Skew | undefined, seen: Skew): Skew => {
  if (known === undefined) return seen
  const low = Math.max(known.low, seen.low)
  const high = Math.min(known.high, seen.high)
  if (low > high) return seen
  return low === known.low && high === known.high ? known : { low, high }
}

/** When the window has surely ended, in epoch milliseconds by the local clock. */
export const resetAt = (window: Window, skew: Skew | undefined): number => window.reset - (skew?.low ?? 0)

const natural = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined

const wait = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  const seconds = natural(text)
  if (seconds !== undefined) return seconds * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
