/** What the headers of an answer say about limits (`spec/1 §8.4`). Pure. */

import * as Limits from "./Limits.ts"

/** A primary window as the forge counts it. */
export interface RateLimitWindow {
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
export interface ClockSkew {
  readonly low: number
  readonly high: number
}

export interface Observation {
  /** The resource that the forge counted the request by, where it says so. */
  readonly resource?: string
  readonly window?: RateLimitWindow
  readonly remaining?: number
  /** True when the response has a `retry-after`, whether or not that can be read. */
  readonly hasRetryAfter?: boolean
  /** Milliseconds to wait, from `retry-after`. */
  readonly retryAfter?: number
  readonly skew?: ClockSkew
  /** Milliseconds that the forge took to answer. */
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
  const limit = parseNatural(headers["x-ratelimit-limit"])
  const reset = parseNatural(headers["x-ratelimit-reset"])
  const counted = parseNatural(headers["x-ratelimit-remaining"])
  const remaining = counted === undefined ? undefined : Math.min(counted, limit ?? counted)
  const resource = parseResourceName(headers["x-ratelimit-resource"])
  const date = parseHttpDate(headers["date"])
  const retryAfter = parseRetryAfter(headers["retry-after"], date ?? received)
  return {
    ...(resource === undefined ? {} : { resource }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(limit === undefined || remaining === undefined || reset === undefined
      ? {}
      : {
          window: {
            limit,
            remaining,
            used: parseNatural(headers["x-ratelimit-used"]) ?? limit - remaining,
            reset: reset * 1000
          }
        }),
    ...(headers["retry-after"] === undefined ? {} : { hasRetryAfter: true }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(date === undefined ? {} : { skew: { low: date - received, high: date + 1000 - sent } })
  }
}

/** The window, ending no later than the longest documented window from now. */
export const clamp = (window: RateLimitWindow, skew: ClockSkew | undefined, now: number): RateLimitWindow => {
  const latest = now + Limits.MAX_WAIT + (skew?.low ?? 0)
  return window.reset <= latest ? window : { ...window, reset: latest }
}

/** What is known after one more sight of a window: answers overtake each other, so the slower of two counts wins. */
export const merge = (known: RateLimitWindow | undefined, seen: RateLimitWindow): RateLimitWindow => {
  if (known === undefined || seen.reset > known.reset) return seen
  if (seen.reset < known.reset) return known
  return seen.remaining <= known.remaining ? seen : known
}

/** Both bounds together. When they contradict each other a clock was set, and only the new one counts. */
export const narrow = (known: ClockSkew | undefined, seen: ClockSkew): ClockSkew => {
  if (known === undefined) return seen
  const low = Math.max(known.low, seen.low)
  const high = Math.min(known.high, seen.high)
  if (low > high) return seen
  return low === known.low && high === known.high ? known : { low, high }
}

/** When the window has surely ended, in epoch milliseconds by the local clock. */
export const resetAt = (window: RateLimitWindow, skew: ClockSkew | undefined): number => window.reset - (skew?.low ?? 0)

const parseNatural = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined

const parseResourceName = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= Limits.MAX_RESOURCE_NAME && /^[\w.-]+$/.test(text) ? text : undefined

/** `retry-after`: whole seconds, or a date (RFC 9110 §10.2.3). However many digits, it is a finite number. */
const parseRetryAfter = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  const date = parseHttpDate(text)
  return date === undefined ? undefined : Math.max(0, date - now)
}

/** The three forms of an HTTP date (RFC 9110 §5.6.7). `Date.parse` alone takes almost any text for one. */
const parseHttpDate = (text: string | undefined): number | undefined => {
  if (text === undefined || text.length > 40) return undefined
  const time = DATE.test(text) ? Date.parse(text) : ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
const TIME = "\\d\\d:\\d\\d:\\d\\d"
const DATE = new RegExp(`^(?:${DAY}, \\d\\d ${MONTH} \\d{4}|${LONG_DAY}, \\d\\d-${MONTH}-\\d\\d) ${TIME} GMT$`)
const ASCTIME = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`)
