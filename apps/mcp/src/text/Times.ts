/** Times for agents, which have no clock: the time, and its distance from now in seconds. */

/** Formats an ISO time as its date and the seconds from now: `2026-01-31 -3600s`. Empty without a time. */
export const short = (time: string | null | undefined, now: number): string => {
  if (time === null || time === undefined) return ""
  return `${time.slice(0, 10)} ${secondsFromNow(time, now)}`
}

/** Formats an ISO time with the seconds from now: `2026-01-31T12:00:00Z (-3600s)`. Empty without a time. */
export const long = (time: string | null | undefined, now: number): string =>
  time === null || time === undefined ? "" : `${time} (${secondsFromNow(time, now)})`

const secondsFromNow = (time: string, now: number): string => {
  const seconds = Math.round((Date.parse(time) - now) / 1_000)
  return Number.isNaN(seconds) ? "unknown" : `${seconds > 0 ? "+" : ""}${seconds}s`
}
