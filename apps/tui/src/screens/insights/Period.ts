/** The periods of request statistics: the length of each period, and the length of the intervals. */
import type { Arguments } from "../../content/Route.ts"
import { text } from "../Screen.ts"

/** A period that ends now. */
export interface Period {
  /** The argument `period` of the screens. */
  readonly id: string
  readonly label: string
  /** Length in milliseconds. */
  readonly length: number
  /** Length of an interval of the chart, as a parameter for the forge. */
  readonly increment: "1h" | "1d"
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** All periods, the shortest first. */
export const all: ReadonlyArray<Period> = [
  { id: "24h", label: "24 hours", length: DAY, increment: "1h" },
  { id: "7d", label: "7 days", length: 7 * DAY, increment: "1h" },
  { id: "30d", label: "30 days", length: 30 * DAY, increment: "1d" },
  { id: "90d", label: "90 days", length: 90 * DAY, increment: "1d" }
]

/** The period of screens without an argument: 30 days. */
export const DEFAULT = "30d"

const custom: Period = { id: "custom", label: "custom", length: 30 * DAY, increment: "1d" }

/** Returns the period of a screen. `custom` is a period with the contract's own parameters. */
export const of = (values: Arguments): Period => {
  const wanted = text(values, "period")
  if (wanted === "" && text(values, "min_timestamp") !== "") return custom
  return all.find(({ id }) => id === (wanted === "" ? DEFAULT : wanted)) ?? of({})
}

/** Returns the length of an interval in milliseconds. */
export const step = ({ increment }: Period): number => (increment === "1h" ? HOUR : DAY)

/** Returns the start of the period in epoch milliseconds: the start of an interval, so that responses can be cached. */
export const start = (self: Period, now: number): number => Math.floor((now - self.length) / step(self)) * step(self)

/** Returns the query parameters for the forge. */
export const query = (
  values: Arguments,
  now: number
): { readonly min_timestamp: string; readonly max_timestamp?: string } => {
  const self = of(values)
  const end = text(values, "max_timestamp")
  const from = self === custom ? text(values, "min_timestamp") : timestamp(start(self, now))
  return { min_timestamp: from, ...(self !== custom || end === "" ? {} : { max_timestamp: end }) }
}

const timestamp = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, "Z")

/**
 * Returns the arguments of a screen with the next longer or shorter period; undefined beyond the longest and the
 * shortest.
 */
export const change = (values: Arguments, by: 1 | -1): Arguments | undefined => {
  const { max_timestamp: _max, min_timestamp: _min, ...rest } = values
  const at = all.findIndex(({ id }) => id === of(values).id)
  const next = at < 0 ? all.find(({ id }) => id === DEFAULT) : all[at + by]
  return next === undefined ? undefined : { ...rest, period: next.id }
}
