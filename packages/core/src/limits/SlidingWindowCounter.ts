/** A sum of amounts over a sliding window, in slots, so that its size is bounded whatever the number of amounts. Pure. */

/** Slot numbers and their sums in turn, the oldest first: `[slot, sum, slot, sum, …]`. */
export type SlidingWindowCounter = ReadonlyArray<number>

/** A counter without amounts. */
export const empty: SlidingWindowCounter = []

/** Slots per window. An amount counts for up to one slot longer than the window. */
const SLOTS = 120

/** Share of the window for which a forge that counts in slots may remember an amount beyond it. */
const TOLERANCE = 1 / 60

/** The sum in the window that ends now. Times and the span are in milliseconds. */
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
  // Processes that share a counter agree only roughly on the time: a late amount goes into the latest slot.
  if (last >= 0 && valueAt(slots, last) >= slot) slots[last + 1] = valueAt(slots, last + 1) + amount
  else slots.push(slot, amount)
  return slots
}

/** Moves an amount from one time to a later one. */
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

/** The time at which the sum falls to `limit` or below; `now` if it already has. */
export const availableAt = (self: SlidingWindowCounter, span: number, now: number, limit: number): number => {
  let sum = used(self, span, now)
  for (let index = 0; index < self.length && sum > limit; index += 2) {
    if (!isInWindow(valueAt(self, index), span, now)) continue
    sum -= valueAt(self, index + 1)
    if (sum <= limit) return Math.ceil(slotEnd(valueAt(self, index), span))
  }
  return now
}

/** The latest slot, for comparing counters by their last use; -1 for an empty counter. */
export const lastSlot = (self: SlidingWindowCounter): number => self.at(-2) ?? -1

const slotOf = (time: number, span: number) => Math.floor((time * SLOTS) / span)

const slotEnd = (slot: number, span: number) => ((slot + 1) / SLOTS + 1 + TOLERANCE) * span

/** Slots far in the future do not count: they are from before the clock was set back, and would never end. */
const isInWindow = (slot: number, span: number, now: number) =>
  slotEnd(slot, span) > now && slot <= slotOf(now, span) + SLOTS

const valueAt = (counter: SlidingWindowCounter, index: number) => counter[index] ?? 0
