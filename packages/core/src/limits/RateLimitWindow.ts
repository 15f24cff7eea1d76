/** The primary window of a rate limit resource, and the clock skew that its end depends on. Pure. */
import * as Limits from "./Limits.ts"

/** A primary window as the forge counts it. */
export interface RateLimitWindow {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** End in epoch milliseconds by the clock of the forge. */
  readonly reset: number
}

/**
 * Bounds in milliseconds of how far the clock of the forge is ahead of the local one. One response bounds it to about a
 * second, because `date` has no fractions; further responses narrow it.
 */
export interface ClockSkew {
  readonly low: number
  readonly high: number
}

/** The window with its end at most the longest documented window from now. */
export const clamp = (window: RateLimitWindow, skew: ClockSkew | undefined, now: number): RateLimitWindow => {
  const latest = now + Limits.MAX_WAIT + (skew?.low ?? 0)
  return window.reset <= latest ? window : { ...window, reset: latest }
}

/** Merges two observations of a window. Responses arrive out of order, so the lower remaining count wins. */
export const merge = (known: RateLimitWindow | undefined, observed: RateLimitWindow): RateLimitWindow => {
  if (known === undefined || observed.reset > known.reset) return observed
  if (observed.reset < known.reset) return known
  return observed.remaining <= known.remaining ? observed : known
}

/** Intersects two bounds of the skew. If they are disjoint, a clock was set and only the new bounds hold. */
export const narrow = (known: ClockSkew | undefined, observed: ClockSkew): ClockSkew => {
  if (known === undefined) return observed
  const low = Math.max(known.low, observed.low)
  const high = Math.min(known.high, observed.high)
  if (low > high) return observed
  return low === known.low && high === known.high ? known : { low, high }
}

/** The time at which the window has surely ended, in local epoch milliseconds. */
export const resetAt = (window: RateLimitWindow, skew: ClockSkew | undefined): number => window.reset - (skew?.low ?? 0)
