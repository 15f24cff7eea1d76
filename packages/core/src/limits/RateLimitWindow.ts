/** The primary window of a rate limit resource, and the clock skew that affects the window's end. Pure. */
import * as Limits from "./Limits.ts"

/** A primary window, as counted by the forge. */
export interface RateLimitWindow {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** End of the window in epoch milliseconds by the clock of the forge. */
  readonly reset: number
}

/**
 * Bounds of the milliseconds by which the forge's clock is ahead of the local clock. One response bounds the skew to
 * about a second, because `date` has no fractions; further responses narrow the bounds.
 */
export interface ClockSkew {
  readonly low: number
  readonly high: number
}

/** Limits the end of a window to the longest documented window from now. */
export const clamp = (window: RateLimitWindow, skew: ClockSkew | undefined, now: number): RateLimitWindow => {
  const latest = now + Limits.MAX_WAIT + (skew?.low ?? 0)
  return window.reset <= latest ? window : { ...window, reset: latest }
}

/** Merges two observations of a window. Responses can arrive out of order, so the lower remaining count wins. */
export const merge = (known: RateLimitWindow | undefined, observed: RateLimitWindow): RateLimitWindow => {
  if (known === undefined || observed.reset > known.reset) return observed
  if (observed.reset < known.reset) return known
  return observed.remaining <= known.remaining ? observed : known
}

/** Intersects two ranges of the clock skew. Disjoint ranges mean that a clock was adjusted: returns only `observed`. */
export const narrow = (known: ClockSkew | undefined, observed: ClockSkew): ClockSkew => {
  if (known === undefined) return observed
  const low = Math.max(known.low, observed.low)
  const high = Math.min(known.high, observed.high)
  if (low > high) return observed
  return low === known.low && high === known.high ? known : { low, high }
}

/** Returns the time at which the window has certainly ended, in local epoch milliseconds. */
export const resetAt = (window: RateLimitWindow, skew: ClockSkew | undefined): number => window.reset - (skew?.low ?? 0)
