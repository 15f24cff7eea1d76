/** Times that agents write: `2026-01-31`, `2026-01-31T12:00:00Z`, `7d`, `2 weeks`. */
import * as Effect from "effect/Effect"
import { ToolError } from "./ToolError.ts"

const secondsByUnit = { s: 1, min: 60, h: 3_600, d: 86_400, w: 604_800, mo: 2_592_000, y: 31_536_000 }

const units: Readonly<Record<string, keyof typeof secondsByUnit>> = {
  s: "s",
  sec: "s",
  second: "s",
  min: "min",
  minute: "min",
  h: "h",
  hour: "h",
  d: "d",
  day: "d",
  w: "w",
  week: "w",
  mo: "mo",
  month: "mo",
  y: "y",
  year: "y"
}

const relative = /^-?(\d{1,9})\s*([a-z]+?)s?(?:\s+ago)?$/
const datePattern = /^\d{4}-\d\d-\d\d$/
const time = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?\s?(z|[+-]\d\d:?\d\d)?$/

/**
 * Returns the ISO time of an argument, in UTC. A date alone is the start of the day for `since`, and the end of the day
 * for `until`. Fails with `ToolError` for any other text.
 */
export const parse = (name: "since" | "until", text: string, now: number): Effect.Effect<string, ToolError> => {
  const time = epochMillis(text.trim().toLowerCase(), name === "until", now)
  return Number.isNaN(time) || Math.abs(time) > maxTime
    ? Effect.fail(
        new ToolError({
          detail: `Invalid ${name} ${JSON.stringify(text.slice(0, 100))}: expected a date (2026-01-31), a time (2026-01-31T12:00:00Z), or an age in min, h, d, w, months or years (7d, 2 weeks).`
        })
      )
    : Effect.succeed(
        new Date(time)
          .toISOString()
          .replace(".000Z", "Z")
          .replace(/\.\d+Z$/, "Z")
      )
}

/** The end of the year 9999, the last one with four digits. */
const maxTime = Date.UTC(10_000, 0) - 1

const epochMillis = (text: string, isEnd: boolean, now: number): number => {
  if (text === "now") return now
  if (text === "today" || text === "yesterday") {
    const day = new Date(now - (text === "today" ? 0 : secondsByUnit.d * 1_000)).toISOString().slice(0, 10)
    return epochMillis(day, isEnd, now)
  }
  const [, count, word = ""] = relative.exec(text) ?? []
  const unit = units[word]
  if (count !== undefined)
    return unit === undefined ? Number.NaN : Math.max(0, now - Number(count) * secondsByUnit[unit] * 1_000)
  const [, date = text, minutes, seconds = ":00", zone = "z"] = time.exec(text) ?? []
  // `Date.parse` reads many other forms, and takes February 30 for March 2.
  if (!datePattern.test(date) || !isDay(date)) return Number.NaN
  return minutes === undefined
    ? Date.parse(`${date}T${isEnd ? "23:59:59" : "00:00:00"}Z`)
    : Date.parse(`${date}T${minutes}${seconds}${zone.toUpperCase()}`)
}

const isDay = (date: string): boolean => {
  const time = Date.parse(date)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}
