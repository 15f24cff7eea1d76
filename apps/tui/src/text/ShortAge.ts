/** Ages in at most four characters: `5m`, `3h`, `12d`, `5mo`, `2y`. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365.25 * DAY

const units = [
  [YEAR, "y"],
  [YEAR / 12, "mo"],
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "m"]
] as const // pairs

/** Formats the time since `then`. Both are in epoch milliseconds. Empty for NaN; `now` for less than a minute and the future. */
export const format = (then: number, now: number): string => {
  if (Number.isNaN(then)) return ""
  const age = now - then
  const unit = units.find(([length]) => age >= length)
  return unit === undefined ? "now" : `${Math.floor(age / unit[0])}${unit[1]}`
}
