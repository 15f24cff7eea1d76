/**
 * How much was used in the last stretch of time: any minute, not the one on the clock. Kept in slots, so that it stays
 * small however much comes. Pure.
 */

/** Slots and their amounts in turn, the oldest first: `[slot, amount, slot, amount, …]`. */
export type SlidingWindowCounter = ReadonlyArray<number>

export const empty: SlidingWindowCounter = []

/** More slots are more exact: an amount counts for up to one slot longer than it must. */
const SLOTS = 120

/** The share of the span for which a forge that counts in slots as well may remember an amount beyond it. */
const TOLERANCE = 1 / 60

/** What still counts of what came; times and the span are in milliseconds. */
export const used = (self: SlidingWindowCounter, span: number, now: number): number => {
  let sum = 0
  for (let index = 0; index < self.length; index += 2) {
    if (isInWindow(valueAt(self, index), span, now)) sum += valueAt(self, index + 1)
  }
  return sum
}

/** The same with so much more, and without what counts no longer. */
export const add = (self: SlidingWindowCounter, span: number, now: number, amount: number): SlidingWindowCounter => {
  const kept: Array<number> = []
  for (let index = 0; index < self.length; index += 2) {
    if (isInWindow(valueAt(self, index), span, now) && valueAt(self, index + 1) > 0)
      kept.push(valueAt(self, index), valueAt(self, index + 1))
  }
  const slot = slotOf(now, span)
  const last = kept.length - 2
  // Processes that share it agree on the time only roughly: what comes late counts with the latest.
  if (last >= 0 && valueAt(kept, last) >= slot) kept[last + 1] = valueAt(kept, last + 1) + amount
  else kept.push(slot, amount)
  return kept
}

/** The same with an amount that came at one time counted at a later one. */
export const move = (
  self: SlidingWindowCounter,
  span: number,
  from: number,
  to: number,
  amount: number
): SlidingWindowCounter => {
  const slot = slotOf(from, span)
  if (slot === slotOf(to, span)) return self
  const index = self.findIndex((value, index) => index % 2 === 0 && value >= slot && valueAt(self, index + 1) >= amount)
  return add(index < 0 ? self : self.with(index + 1, valueAt(self, index + 1) - amount), span, to, amount)
}

/** When no more than `room` is left of what came; `now` where that is so already. */
export const availableAt = (self: SlidingWindowCounter, span: number, now: number, room: number): number => {
  let left = used(self, span, now)
  for (let index = 0; index < self.length && left > room; index += 2) {
    if (!isInWindow(valueAt(self, index), span, now)) continue
    left -= valueAt(self, index + 1)
    if (left <= room) return Math.ceil(slotEnd(valueAt(self, index), span))
  }
  return now
}

/** For comparing: higher where something came later. */
export const lastSlot = (self: SlidingWindowCounter): number => self.at(-2) ?? -1

const slotOf = (time: number, span: number) => Math.floor((time * SLOTS) / span)

const slotEnd = (slot: number, span: number) => ((slot + 1) / SLOTS + 1 + TOLERANCE) * span

/** A slot far ahead is from before the clock was set back: it would never end. */
const isInWindow = (slot: number, span: number, now: number) =>
  slotEnd(slot, span) > now && slot <= slotOf(now, span) + SLOTS

const valueAt = (meter: SlidingWindowCounter, index: number) => meter[index] ?? 0
