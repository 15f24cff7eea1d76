/** Moments counted by day. */

/** How many of the moments (ISO 8601) fall into each of the last `days` days before `now`, the oldest day first. */
export const dailyCounts = (
  moments: ReadonlyArray<string | null>,
  now: number,
  days: number
): ReadonlyArray<number> => {
  const counts = Array.from({ length: days }, () => 0)
  for (const moment of moments) {
    if (moment === null) continue
    const ago = Math.floor((now - Date.parse(moment)) / DAY)
    const day = days - 1 - Math.max(0, ago)
    const before = counts[day]
    if (before !== undefined) counts[day] = before + 1
  }
  return counts
}

const DAY = 24 * 60 * 60 * 1_000
