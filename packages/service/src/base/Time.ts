/** Moments as the API spells them: `YYYY-MM-DDTHH:MM:SSZ` (spec part 1 §2). */
import type { Timestamp } from "@tongs/core/contract/Scalars"

/** The first and the last moment whose year has four digits: a commit may say that it is of any other. */
const first = Date.parse("0000-01-01T00:00:00Z")
const last = Date.parse("9999-12-31T23:59:59Z")

/** From epoch milliseconds. Fractions of a second are cut off. */
export const timestamp = (millis: number): Timestamp =>
  parseTimestamp(`${new Date(Math.min(Math.max(millis, first), last)).toISOString().slice(0, 19)}Z`)

/** A moment as the store has it: it was written by `timestamp`. */
export const parseTimestamp = (text: string) => text as Timestamp // oxlint-disable-line typescript/no-unsafe-type-assertion -- written so above; a page has many
