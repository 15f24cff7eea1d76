/** The month of a billing report. */
import type { Arguments } from "../../content/Route.ts"
import { text } from "../Screen.ts"

/** A month. January is 1. */
export interface Month {
  readonly year: number
  readonly month: number
}

/** Returns the month of a screen; by default the present month in UTC. `now` is in epoch milliseconds. */
export const of = (values: Arguments, now: number): Month => {
  const date = new Date(now)
  const year = whole(text(values, "year"), 1, 9_999) ?? date.getUTCFullYear()
  return { year, month: whole(text(values, "month"), 1, 12) ?? date.getUTCMonth() + 1 }
}

const whole = (value: string, least: number, most: number): number | undefined => {
  const number = /^\d+$/.test(value) ? Number(value) : undefined
  return number !== undefined && number >= least && number <= most ? number : undefined
}

/** Returns the month `count` months later, or earlier if negative. */
export const add = ({ month, year }: Month, count: number): Month => {
  const index = year * 12 + month - 1 + count
  return { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 }
}

/** Returns the months up to this one, the oldest first. */
export const until = (self: Month, count: number): ReadonlyArray<Month> =>
  Array.from({ length: count }, (_, index) => add(self, index - count + 1))

/** Returns a month in the form of the dates in reports: `2026-01`. */
export const key = ({ month, year }: Month): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`

const names = "January February March April May June July August September October November December".split(" ")

/** Formats a month: `January 2026`. */
export const label = (self: Month): string => `${name(self)} ${self.year}`

/** Returns the name of a month: `January`. */
export const name = ({ month }: Month): string => names[month - 1] ?? String(month)

/** Returns the arguments of a screen for the next or previous month; undefined for a month in the future. */
export const change = (values: Arguments, step: 1 | -1, now: number): Arguments | undefined => {
  const next = add(of(values, now), step)
  return key(next) > key(of({}, now)) ? undefined : { ...values, ...next }
}
