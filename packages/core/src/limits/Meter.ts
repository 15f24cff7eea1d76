/**
 * How much was used in the last stretch of time: any minute, not the one on the clock. Kept in slots, so that it stays
 * small however much comes. Pure.
 */

/** Slots and their amounts in turn, the oldest first: `[slot, amount, slot, amount, …]`. */
export type Meter = ReadonlyArray<number>

export const empty: Meter = []

/** More slots are more exact: an amount counts for up to one slot longer than it must. */
const SLOTS = 120

/** The share of the span for which a forge that counts in slots as well may remember an amount beyond it. */
const SLACK = 1 / 60

/** What still counts of what came; times and the span are in milliseconds. */
export const used = (self: Meter, span: number, now: number): number => {
  let sum = 0
  for (let index = 0; index < self.length; index += 2) {
    if (counts(at(self, index), span, now)) sum += at(self, index + 1)
  }
  return sum
}

/** The same with so much more, and without what counts no longer. */
export const add = (self: Meter, span: number, now: number, amount: number): Meter => {
  const kept: Array<number> = []
  for (let index = 0; index < self.length; index += 2) {
    if (counts(at(self, index), span, now) && at(self, index + 1) > 0) kept.push(at(self, index), at(self, index + 1))
  }
  const slot = slotOf(now, span)
  const last = kept.length - 2
  // Processes that share it agree on the time only roughly: what comes late counts with the latest.
  if (last >= 0 && at(kept, last) >= slot) kept[last + 1] = at(kept, last + 1) + amount
  else kept.push(slot, amount)
  return kept
}

/** The same with an amount that came at one time counted at a later one. */
export const move = (self: Meter, span: number, from: number, to: number, amount: number): Meter => {
  const slot = slotOf(from, span)
  if (slot === slotOf(to, span)) return self
  const index = self.findIndex((value, index) => index % 2 === 0 && value >= slot && at(self, index + 1) >= amount)
  return add(index < 0 ? self : self.with(index + 1, at(self, index + 1) - amount), span, to, amount)
}

/** When no more than `room` is left of what came; `now` where that is so already. */
export const settles = (self: Meter, span: number, now: number, room: number): number => {
  let left = used(self, span, now)
  for (let index = 0; index < self.length && left > room; index += 2) {
    if (!counts(at(self, index), span, now)) continue
    left -= at(self, index + 1)
    if (left <= room) return Math.ceil(end(at(self, index), span))
  }
  return now
}

/** For comparing: higher where something came later. */
export const last = (self: Meter): number => self.at(-2) ?? -1

const slotOf = (time: number, span: number) => Math.floor((time * SLOTS) / span)

const end = (slot: number, span: number) => ((slot + 1) / SLOTS + 1 + SLACK) * span

/** A slot far ahead is from before the clock was set back: it would never end. */
const counts = (slot: number, span: number, now: number) => end(slot, span) > now && slot <= slotOf(now, span) + SLOTS

const at = (meter: Meter, index: number) => meter[index] ?? 0
