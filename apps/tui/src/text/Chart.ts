/** Small charts as styled lines: horizontal bars, a sparkline and a gauge. `ChartTimeline` shows values over time. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import * as ChartAxis from "./ChartAxis.ts"
import { partial, type SymbolSet, symbols as symbolSets } from "./ChartSymbols.ts"
import * as StyledLine from "./StyledLine.ts"

/** A bar. Values that are not finite have no bar. */
export interface Bar {
  readonly label: string
  readonly value: number
  /** Default: `series1`. */
  readonly role?: StyledLine.Role
}

export interface Appearance {
  readonly columns: number
  readonly symbols: SymbolSet
  /** Default: `count`. */
  readonly unit?: ChartAxis.Unit
}

/** Returns one line per bar: label, bar, value. Negative bars extend from the zero line to the left. */
export const bars = (items: ReadonlyArray<Bar>, appearance: Appearance): ReadonlyArray<StyledLine.Line> => {
  const { columns, symbols, unit = "count" } = appearance
  const texts = items.map(({ value }) => ChartAxis.format(value, unit))
  const valueColumns = Math.max(0, ...texts.map(Terminal.width))
  const labels = items.map(({ label }) => StyledLine.line(label))
  const labelColumns = Math.min(Math.max(0, ...labels.map(StyledLine.width)), Math.floor(columns / 3))
  const room = columns - labelColumns - valueColumns - 2
  const values = items.map(({ value }) => (Number.isFinite(value) ? value : 0))
  const most = values.reduce((most, value) => Math.max(most, value), 0)
  const least = values.reduce((least, value) => Math.min(least, value), 0)
  // Each part is divided first, because the sum of huge values can be infinite.
  const largest = Math.max(most, -least)
  const span = largest === 0 ? 1 : most / largest - least / largest
  const zero = largest === 0 ? 0 : Math.round((room * (-least / largest)) / span)
  return items.map(({ role = "series1" }, index) => {
    const part = largest === 0 ? 0 : (values[index] ?? 0) / largest / span
    const bar = room < 1 ? "" : barText(part * room, zero, room, symbols)
    const line = [
      ...StyledLine.fit(labels[index] ?? StyledLine.empty, labelColumns),
      StyledLine.span(room < 1 ? " " : ` ${bar} `, role),
      ...StyledLine.fit(StyledLine.line(texts[index] ?? "", "strong"), valueColumns, "right")
    ]
    return StyledLine.fit(line, columns)
  })
}

/** Returns exactly `room` columns with a bar of `length` columns from the column `zero`. */
const barText = (length: number, zero: number, room: number, set: SymbolSet): string => {
  const { left, right } = symbolSets[set]
  const whole = Math.floor(Math.abs(length) + 1e-9)
  const rest = Math.abs(length) - whole
  const end = rest > 1e-9 && (whole === 0 || rest * right.length >= 0.5) ? rest : 0
  if (length >= 0) {
    const free = Math.max(0, room - zero)
    const bar = (right.at(-1) ?? "").repeat(Math.min(whole, free)) + (end > 0 ? partial(right, end) : "")
    return `${" ".repeat(zero)}${bar.slice(0, free)}`.padEnd(room)
  }
  const bar = (end > 0 ? partial(left, end) : "") + (left.at(-1) ?? "").repeat(Math.min(whole, zero))
  const shown = bar.slice(Math.max(0, bar.length - Math.max(1, zero)))
  return shown.padStart(Math.max(1, zero)).padEnd(room).slice(0, room)
}

/**
 * Returns one line of exactly `columns` columns with the last value at the right edge. A gap is a value that is not
 * finite. Several values that share a column show the largest.
 */
export const sparkline = (
  values: ReadonlyArray<number>,
  { columns, symbols }: Pick<Appearance, "columns" | "symbols">,
  role: StyledLine.Role = "series1"
): StyledLine.Line => {
  const { levels } = symbolSets[symbols]
  const shown = resample(values, columns)
  const least = shown.reduce((least, value) => (Number.isFinite(value) ? Math.min(least, value) : least), 0)
  const most = shown.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, value) : most), least)
  const span = most / 2 - least / 2
  const text = shown.map((value) => {
    if (!Number.isFinite(value)) return " "
    const part = span === 0 ? 0 : (value / 2 - least / 2) / span
    return levels[Math.round(part * (levels.length - 1))] ?? " "
  })
  return StyledLine.fit(StyledLine.line(text.join(""), role), columns, "right")
}

/** Returns at most `count` values: the largest of each group of neighbors. */
const resample = (values: ReadonlyArray<number>, count: number): ReadonlyArray<number> => {
  if (values.length <= count) return values
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const from = Math.floor((index * values.length) / count)
    const group = values.slice(from, Math.floor(((index + 1) * values.length) / count)).filter(Number.isFinite)
    return group.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  })
}

/** A remaining amount and its limit. */
export interface Level {
  readonly value: number
  readonly limit: number
}

/** Returns a bar and the number of the remaining amount, for example `[████░░░] 4,990`. The color warns below 25 %. */
export const gauge = ({ limit, value }: Level, { columns, symbols }: Pick<Appearance, "columns" | "symbols">) => {
  const { empty, full } = symbolSets[symbols].gauge
  const number = Number.isFinite(value) ? NumberFormat.format(value) : "–"
  // As wide as the limit, so that gauges of the same limit are aligned.
  const text = number.padStart(Number.isFinite(limit) ? NumberFormat.format(limit).length : 0)
  const part = limit > 0 && Number.isFinite(value / limit) ? Math.min(1, Math.max(0, value / limit)) : 0
  const role = part > 0.25 ? "success" : part > 0.1 ? "warning" : "error"
  const room = columns - Terminal.width(text) - 3
  if (room < 2) return StyledLine.fit(StyledLine.line(text, role), columns, "right")
  // Neither full below the limit, nor empty above zero.
  const cells = part === 1 ? room : part === 0 ? 0 : Math.min(room - 1, Math.max(1, Math.round(part * room)))
  return [
    StyledLine.span("[", "muted"),
    ...(cells === 0 ? [] : [StyledLine.span(full.repeat(cells), role)]),
    ...(cells === room ? [] : [StyledLine.span(empty.repeat(room - cells), "muted")]),
    StyledLine.span("] ", "muted"),
    StyledLine.span(text, "strong")
  ]
}
