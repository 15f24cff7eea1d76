/** Relative times: `3 hours ago`, `in 2 minutes`. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365.25 * DAY
const MONTH = YEAR / 12

const units = [
  [YEAR, "year"],
  [MONTH, "month"],
  [DAY, "day"],
  [HOUR, "hour"],
  [MINUTE, "minute"],
  [SECOND, "second"]
] as const // keeps the literal types that `Intl` requires

const english = new Intl.RelativeTimeFormat("en", { numeric: "always" })

/**
 * Formats the difference between `then` and `now`, in epoch milliseconds, in the largest unit that fits, rounded
 * towards zero. Returns `now` for less than a second, and `at an unknown time` for NaN.
 */
export const format = (then: number, now: number): string => {
  const distance = then - now
  if (!Number.isFinite(distance)) return "at an unknown time"
  for (const [length, unit] of units) {
    if (Math.abs(distance) >= length) return english.format(Math.trunc(distance / length), unit)
  }
  return "now"
}
