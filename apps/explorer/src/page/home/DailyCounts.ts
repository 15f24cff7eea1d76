/**
 * The count of dates (ISO 8601) in each of the last `days` periods of 24 hours before `now` (epoch milliseconds), the
 * oldest first. A future date counts as today.
 */
export const dailyCounts = (dates: ReadonlyArray<string | null>, now: number, days: number): ReadonlyArray<number> => {
  const counts = Array.from({ length: days }, () => 0)
  for (const date of dates) {
    if (date === null) continue
    const age = Math.floor((now - Date.parse(date)) / DAY)
    const day = days - 1 - Math.max(0, age)
    const count = counts[day]
    if (count !== undefined) counts[day] = count + 1
  }
  return counts
}

const DAY = 24 * 60 * 60 * 1_000
