/** Moments as the API spells them: `YYYY-MM-DDTHH:MM:SSZ` (spec part 1 §2). */
import type { Timestamp } from "@tongs/core/contract/Wire"

/** From epoch milliseconds. Fractions of a second are cut off. */
export const timestamp = (millis: number): Timestamp =>
  parseTimestamp(`${new Date(millis).toISOString().slice(0, 19)}Z`)

/** A moment as the store has it: it was written by `timestamp`. */
export const parseTimestamp = (text: string) => text as Timestamp // oxlint-disable-line typescript/no-unsafe-type-assertion -- written so above; a page has many
