/** Counts amounts in a sliding window of time, so that a limit applies to every minute, not only to calendar minutes. */

export interface SlidingWindowCounter {
  readonly add: (now: number, amount: number) => void
  /** Returns the milliseconds until the count is at most `limit`; 0 if the count already is. */
  readonly wait: (now: number, limit: number) => number
}

/** Number of time slots of a window. An amount counts for up to one slot longer than the window. */
const SLOTS = 60

export const make = (span: number): SlidingWindowCounter => {
  const width = span / SLOTS
  const counts: Array<{ readonly slot: number; amount: number }> = []
  let total = 0

  const forget = (now: number) => {
    const oldest = Math.floor(now / width) - SLOTS
    while (counts[0] !== undefined && counts[0].slot < oldest) total -= counts.shift()?.amount ?? 0
  }

  return {
    add: (now, amount) => {
      forget(now)
      const slot = Math.floor(now / width)
      const last = counts.at(-1)
      if (last?.slot === slot) last.amount += amount
      else counts.push({ slot, amount })
      total += amount
    },
    wait: (now, limit) => {
      forget(now)
      let left = total
      if (left <= limit) return 0
      for (const { amount, slot } of counts) {
        left -= amount
        if (left <= limit) return Math.max(1, (slot + SLOTS + 1) * width - now)
      }
      return span
    }
  }
}
