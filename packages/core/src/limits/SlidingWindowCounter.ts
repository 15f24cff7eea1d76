/**
 * Sums amounts over a sliding window. Stores sums of time slots, so that memory is bounded for any number of amounts.
 * Pure.
 */

/** Alternating slot numbers and sums, the oldest first: `[slot, sum, slot, sum, …]`. */
export type SlidingWindowCounter = ReadonlyArray<number>

/** The empty counter. */
export const empty: SlidingWindowCounter = []

/** Number of slots per window. An amount counts for up to one slot longer than the window. */
const SLOTS = 120

/** Share of the window for which a forge that counts in slots may still count an amount after the window's end. */
const TOLERANCE = 1 / 60

/** Returns the sum of amounts in the window that ends now. Times and the span are in milliseconds. */
export const used = (self: SlidingWindowCounter, span: number, now: number): number => {
  let sum = 0
  for (let index = 0; index < self.length; index += 2) {
    if (isInWindow(valueAt(self, index), span, now)) sum += valueAt(self, index + 1)
  }
  return sum
}

/** Adds an amount now, and drops amounts outside the window. */
export const add = (self: SlidingWindowCounter, span: number, now: number, amount: number): SlidingWindowCounter => {
  const slots: Array<number> = []
  for (let index = 0; index < self.length; index += 2) {
    if (isInWindow(valueAt(self, index), span, now) && valueAt(self, index + 1) > 0)
      slots.push(valueAt(self, index), valueAt(self, index + 1))
  }
  const slot = slotOf(now, span)
  const last = slots.length - 2
  // Processes that share a counter have slightly different clocks: adds a late amount to the latest slot.
  if (last >= 0 && valueAt(slots, last) >= slot) slots[last + 1] = valueAt(slots, last + 1) + amount
  else slots.push(slot, amount)
  return slots
}

/** Moves an amount to a later time. */
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

/** Returns the time at which the sum falls to `limit` or below; `now` if the sum is already that low. */
export const availableAt = (self: SlidingWindowCounter, span: number, now: number, limit: number): number => {
  let sum = used(self, span, now)
  for (let index = 0; index < self.length && sum > limit; index += 2) {
    if (!isInWindow(valueAt(self, index), span, now)) continue
    sum -= valueAt(self, index + 1)
    if (sum <= limit) return Math.ceil(slotEnd(valueAt(self, index), span))
  }
  return now
}

/** Returns the number of the latest slot, to compare counters by last use; -1 for an empty counter. */
export const lastSlot = (self: SlidingWindowCounter): number => self.at(-2) ?? -1

const slotOf = (time: number, span: number) => Math.floor((time * SLOTS) / span)

const slotEnd = (slot: number, span: number) => ((slot + 1) / SLOTS + 1 + TOLERANCE) * span

/**
 * Returns whether a slot counts. Slots far in the future were recorded before the clock was set back, and would never
 * end.
 */
const isInWindow = (slot: number, span: number, now: number) =>
  slotEnd(slot, span) > now && slot <= slotOf(now, span) + SLOTS

const valueAt = (counter: SlidingWindowCounter, index: number) => counter[index] ?? 0
