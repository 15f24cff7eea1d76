/** Values of qualifiers: numbers and times with `>`, `>=`, `<`, `<=` and ranges. */
import { write, type QueryProblem } from "../QueryProblem.ts"

/** A range with inclusive bounds. */
interface Range<A> {
  readonly from?: A
  readonly to?: A
}

/** Parses a range of numbers: `5`, `>5`, `<=5`, `5..9`, `5..*`. */
export const numbers = (name: string, value: string) => {
  const range = parse(
    value,
    (text) => (/^\d{1,9}$/.test(text) ? { from: Number(text), to: Number(text) } : undefined),
    1
  )
  if (range === undefined)
    return write(`${name}: takes a number or a range.`, `${name}:>=5, ${name}:5..10 or ${name}:*..5`)
  return {
    ...(range.from === undefined ? {} : { min: range.from }),
    ...(range.to === undefined ? {} : { max: range.to })
  }
}

/** Parses a range of times: `2026-01-31`, `>=2026-01-31T12:00:00Z`, `2026-01-01..2026-01-31`. */
export const dates = (name: string, value: string): Range<string> | QueryProblem => {
  const range = parse(value, instants, SECOND)
  if (range === undefined) {
    return write(
      `${name}: takes a date or a range of dates.`,
      `${name}:>=2026-01-31, ${name}:2026-01-01..2026-01-31 or ${name}:<2026-01-31T12:00:00Z`
    )
  }
  return {
    ...(range.from === undefined ? {} : { from: timestamp(range.from) }),
    ...(range.to === undefined ? {} : { to: timestamp(range.to) })
  }
}

const SECOND = 1000
const DAY = 86_400_000

/** Parses a range. `read` gives the first and the last value of a text, `step` is the distance of neighbouring values. */
const parse = (value: string, read: (text: string) => Required<Range<number>> | undefined, step: number) => {
  const [, left, right] = /^(.+)\.\.(.+)$/.exec(value) ?? []
  if (left !== undefined && right !== undefined) {
    const [start, end] = [read(left), read(right)]
    if (left === "*" && end !== undefined) return { to: end.to }
    if (right === "*" && start !== undefined) return { from: start.from }
    return start === undefined || end === undefined ? undefined : { from: start.from, to: end.to }
  }
  const [, operator, text = ""] = /^(>=|<=|>|<)?(.*)$/.exec(value) ?? []
  const range = read(text)
  if (range === undefined) return undefined
  switch (operator) {
    case ">":
      return { from: range.to + step }
    case ">=":
      return { from: range.from }
    case "<":
      return { to: range.from - step }
    case "<=":
      return { to: range.to }
    default:
      return range
  }
}

/** Reads a day, or a second with its offset from UTC, in epoch milliseconds. */
const instants = (text: string) => {
  const [, day, time, offset = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text) ?? []
  if (day === undefined) return undefined
  const zone = offset.toUpperCase().replace(/^(...)(\d\d)$/, "$1:$2")
  const from = Date.parse(`${day}T${time ?? "00:00"}${zone}`)
  const midnight = Date.parse(`${day}T00:00Z`)
  if (Number.isNaN(midnight) || Number.isNaN(from)) return undefined
  // `Date` also accepts the 31st of a shorter month.
  if (!new Date(midnight).toISOString().startsWith(day)) return undefined
  return { from, to: time === undefined ? from + DAY - SECOND : from }
}

/** First and last time with a four-digit year. */
const first = Date.parse("0000-01-01T00:00:00Z")
const last = Date.parse("9999-12-31T23:59:59Z")

const timestamp = (millis: number): string =>
  `${new Date(Math.min(Math.max(millis, first), last)).toISOString().slice(0, 19)}Z`
