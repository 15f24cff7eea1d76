/** Rate limit information in the headers of a response: `x-ratelimit-*` and `retry-after`. Pure. */
import * as Limits from "./Limits.ts"
import type { ClockSkew, RateLimitWindow } from "./RateLimitWindow.ts"

/** Rate limit information of one response. Members without information in the response are absent. */
export interface Observation {
  /** Resource by which the forge counted the request. */
  readonly resource?: string
  readonly window?: RateLimitWindow
  readonly remaining?: number
  /** True if the response has a `retry-after` header, even an invalid one. */
  readonly hasRetryAfter?: boolean
  /** Milliseconds to wait, from `retry-after`. */
  readonly retryAfter?: number
  readonly skew?: ClockSkew
  /** Milliseconds that the forge took to respond. */
  readonly elapsed?: number
  /** Why `window` is missing: the response does not mention limits, or the forge has no limits. */
  readonly silence?: "silent" | "none"
}

/** Parses headers, whose names must be in lower case. `sent` and `received` are local epoch milliseconds. */
export const parse = (
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

const parseNatural = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined

const parseResourceName = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= Limits.MAX_RESOURCE_NAME && /^[\w.-]+$/.test(text) ? text : undefined

/**
 * Parses `retry-after`, in seconds or as a date (RFC 9110 §10.2.3). Returns a finite number for any number of digits.
 */
const parseRetryAfter = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  const date = parseHttpDate(text)
  return date === undefined ? undefined : Math.max(0, date - now)
}

/** Parses the three forms of an HTTP date (RFC 9110 §5.6.7). `Date.parse` alone accepts almost any text. */
const parseHttpDate = (text: string | undefined): number | undefined => {
  if (text === undefined || text.length > 40) return undefined
  const time = date.test(text) ? Date.parse(text) : asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
const TIME = "\\d\\d:\\d\\d:\\d\\d"
const date = new RegExp(`^(?:${DAY}, \\d\\d ${MONTH} \\d{4}|${LONG_DAY}, \\d\\d-${MONTH}-\\d\\d) ${TIME} GMT$`)
const asctime = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`)
