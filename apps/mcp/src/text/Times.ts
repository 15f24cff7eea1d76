/** Times for agents, which have no clock: the time, and the distance from now. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"

const DAY = 86_400_000

/**
 * Formats an ISO time as a date and a distance: `2026-01-31 3 days ago`, or as the distance in hours, minutes or seconds.
 * Empty without a time.
 */
export const short = (time: string | null | undefined, now: number): string => {
  if (time === null || time === undefined) return ""
  return Math.abs(now - Date.parse(time)) < DAY ? distance(time, now) : `${time.slice(0, 10)} ${distance(time, now)}`
}

/** Formats the distance of an ISO time: `3 days ago`. */
export const distance = (time: string, now: number): string => RelativeTime.format(Date.parse(time), now)

/** Formats an ISO time with the distance: `2026-01-31T12:00:00Z (in 3 days)`. Empty without a time. */
export const long = (time: string | null | undefined, now: number): string =>
  time === null || time === undefined ? "" : `${time} (${RelativeTime.format(Date.parse(time), now)})`
