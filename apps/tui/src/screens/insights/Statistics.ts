/** Formats counts of API requests: totals, charts over time, and bars. */
import type { TimeStats } from "@tongs/core/contract/groups/Insights"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { DocumentLine } from "../../content/Document.ts"
import * as Chart from "../../text/Chart.ts"
import * as ChartSymbols from "../../text/ChartSymbols.ts"
import * as ChartTimeline from "../../text/ChartTimeline.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as Period from "./Period.ts"

/** Numbers of requests. */
export interface Counts {
  readonly total_request_count: number
  readonly rate_limited_request_count: number
}

/** Maximum width of gauges and bars in columns, so that wide screens stay readable. */
const MAX_WIDTH = 100

/** Formats a share as a percentage, for example `11.9 %`. */
export const share = (part: number, whole: number): string =>
  whole > 0 ? `${((part / whole) * 100).toFixed(1).replace(/\.0$/, "")} %` : "0 %"

/** Formats totals: a sentence, and gauges of the requests that the forge accepted and refused. */
export const totals = (counts: Counts, columns: number): ReadonlyArray<DocumentLine> => {
  const { rate_limited_request_count: limited, total_request_count: total } = counts
  if (total === 0) return [{ line: StyledLine.line("No requests in this time", "muted") }]
  const items: ReadonlyArray<Chart.Bar> = [
    { label: "accepted", value: Math.max(0, total - limited), role: "success" },
    { label: "rate limited", value: limited, role: limited > 0 ? "error" : "muted" }
  ]
  const appearance: Chart.Appearance = { columns: Math.min(columns, MAX_WIDTH), symbols: ChartSymbols.current().bars }
  return [
    {
      line: [
        StyledLine.span(NumberFormat.quantity(total, "request"), "strong"),
        StyledLine.span(
          limited === 0
            ? ", none rate limited"
            : `, ${NumberFormat.format(limited)} rate limited (${share(limited, total)})`,
          limited === 0 ? "muted" : "warning"
        )
      ],
      copy: String(total)
    },
    ...Chart.bars(items, appearance).map((line) => ({ line }))
  ]
}

/** Maximum number of columns of a chart over time. More values are lines. */
const MAX_COLUMNS = 100

/** Formats a chart of requests over time. Intervals that the forge omits have no requests. */
export const overTime = (
  stats: ReadonlyArray<TimeStats>,
  period: Period.Period,
  now: number,
  size: { readonly columns: number; readonly rows: number }
): ReadonlyArray<DocumentLine> => {
  if (stats.length === 0) return [{ line: StyledLine.line("No requests in this time", "muted") }]
  const found = intervals(stats, period, now)
  const total = found.map(({ total_request_count }) => total_request_count)
  const limited = found.map(({ rate_limited_request_count }) => rate_limited_request_count)
  const isLines = found.length > MAX_COLUMNS
  const { bars, lines } = ChartSymbols.current()
  const series: ReadonlyArray<ChartTimeline.Series> = isLines
    ? [
        { name: "all requests", values: total },
        { name: "rate limited", values: limited }
      ]
    : [
        { name: "accepted", values: total.map((value, index) => Math.max(0, value - (limited[index] ?? 0))) },
        { name: "rate limited", values: limited }
      ]
  return ChartTimeline.timeline(series, {
    ...size,
    symbols: isLines ? lines : bars,
    style: isLines ? "lines" : "columns",
    labels: found.map(({ time }) => label(time, period))
  }).map((line) => ({ line }))
}

/** An interval with its start in epoch milliseconds. */
export interface Interval extends Counts {
  readonly time: number
}

/** Maximum number of intervals of a chart, for forges that send unexpected times. */
const MAX_INTERVALS = 4_000

/** Returns every interval from the start of the period, or from the first interval of the forge, until now. */
export const intervals = (
  stats: ReadonlyArray<TimeStats>,
  period: Period.Period,
  now: number
): ReadonlyArray<Interval> => {
  const known = stats.map(({ timestamp, ...counts }) => ({ ...counts, time: Date.parse(timestamp) }))
  const step = Period.step(period)
  const first = known.reduce(
    (least, { time }) => Math.min(least, time),
    period.id === "custom" ? Infinity : Period.start(period, now)
  )
  const last = known.reduce((most, { time }) => Math.max(most, time), now)
  const count = Math.floor((last - first) / step) + 1
  if (!(count > 0 && count <= MAX_INTERVALS)) return known
  const byIndex = new Map(known.map((interval) => [Math.floor((interval.time - first) / step), interval]))
  return Array.from(
    { length: count },
    (_, index) =>
      byIndex.get(index) ?? {
        time: first + index * step,
        total_request_count: 0,
        rate_limited_request_count: 0
      }
  )
}

const hour = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" })
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" })

/** Formats the start of an interval in UTC: a time of day within 24 hours, or else a date. */
export const label = (time: number, { id }: Period.Period): string => {
  return id === "24h" ? hour.format(time) : day.format(time)
}

/** Formats the start of an interval in UTC, with the date. */
export const longLabel = (time: number, { increment }: Period.Period): string =>
  increment === "1h" ? `${day.format(time)} ${hour.format(time)}` : day.format(time)

/** Width of the bar in a table, in columns. */
const BAR_WIDTH = 20

/** Formats the bar of a row: the accepted part, then the rate limited part. `most` is the largest total. */
export const bar = (counts: Counts, most: number, width = BAR_WIDTH): Line => {
  const { rate_limited_request_count: limited, total_request_count: total } = counts
  const { fills } = ChartSymbols.symbols[ChartSymbols.current().bars]
  if (!(most > 0) || !(total > 0)) return StyledLine.line(" ".repeat(width))
  const whole = Math.min(width, Math.max(1, Math.round((total / most) * width)))
  const refused = Math.min(whole, limited > 0 ? Math.max(1, Math.round((limited / most) * width)) : 0)
  return [
    StyledLine.span(fills[0].repeat(whole - refused), "series1"),
    StyledLine.span(fills[1].repeat(refused), "error"),
    StyledLine.span(" ".repeat(width - whole))
  ]
}
