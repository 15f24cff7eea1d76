/** Timestamps of the API: `YYYY-MM-DDTHH:MM:SSZ`. */
import type { Timestamp } from "@tongs/core/contract/Scalars"

/** First and last time with a four-digit year, in epoch milliseconds. A commit can have a date outside this range. */
const first = Date.parse("0000-01-01T00:00:00Z")
const last = Date.parse("9999-12-31T23:59:59Z")

/** Formats epoch milliseconds, truncated to seconds. */
export const timestamp = (millis: number): Timestamp =>
  parseTimestamp(`${new Date(Math.min(Math.max(millis, first), last)).toISOString().slice(0, 19)}Z`)

/** Brands a timestamp from the database, formatted by `timestamp`. */
export const parseTimestamp = (text: string) => text as Timestamp // oxlint-disable-line typescript/no-unsafe-type-assertion -- written by `timestamp`; checking each of a page is slow
