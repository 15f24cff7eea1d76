/** A chart of values over time with axes: stacked columns, or lines. */
import * as Terminal from "@tongs/core/text/Terminal"
import type { Appearance } from "./Chart.ts"
import * as ChartAxis from "./ChartAxis.ts"
import * as ChartSlots from "./ChartSlots.ts"
import { partial, seriesRoles, type Symbols, symbols as symbolSets } from "./ChartSymbols.ts"
import * as StyledLine from "./StyledLine.ts"

/** Values over time. A value that is not finite is a gap. */
export interface Series {
  readonly name: string
  readonly values: ReadonlyArray<number>
}

/** The appearance of a chart over time. */
export interface TimelineAppearance extends Appearance {
  /** Number of lines, with axis and legend. */
  readonly rows: number
  readonly style: "columns" | "lines"
  /** A label for each value. Labels without room are omitted. */
  readonly labels?: ReadonlyArray<string>
}

/** Number of series after which the rest is one series, `other`. */
const maxSeries = seriesRoles.length

/**
 * Returns exactly `rows` lines of exactly `columns` columns. Columns are stacked, negative values go below the zero
 * line. The fourth series is the sum of all further series, as `other`. If there are more values than columns, a column
 * shows the largest of several values.
 */
export const timeline = (
  series: ReadonlyArray<Series>,
  appearance: TimelineAppearance
): ReadonlyArray<StyledLine.Line> => {
  const { columns, labels = [], rows, style, unit = "count" } = appearance
  const set = symbolSets[appearance.symbols]
  const shown = series.length > maxSeries ? [...series.slice(0, maxSeries - 1), other(series)] : series
  const legend = shown.length > 1 && rows >= 6 ? [legendOf(shown, set, style)] : []
  const hasLabels = labels.length > 0 && rows - legend.length >= 4
  const height = Math.max(0, rows - legend.length - (hasLabels ? 2 : rows >= 3 ? 1 : 0))
  const scale = ChartAxis.scale(
    style === "columns" ? totals(shown) : shown.flatMap(({ values }) => values),
    unit,
    Math.max(1, Math.floor(height / 3))
  )
  const row = style === "columns" ? columnRow : lineRow
  // Of the ticks on one row, the last tick is shown: zero, or else the tick that is furthest from zero.
  const byDistance = scale.ticks.toSorted((a, b) => Number(a === 0) - Number(b === 0) || Math.abs(a) - Math.abs(b))
  const ticks = new Map(byDistance.map((tick) => [row(tick, scale, height), ChartAxis.format(tick, unit)]))
  const tickColumns = Math.max(0, ...[...ticks.values()].map(Terminal.width))
  const width = Math.max(0, columns - tickColumns - 2)
  const plot: Plot = { width, height, scale, set }
  const cells = style === "columns" ? columnCells(shown, plot) : lineCells(shown, plot)
  const body = cells.map((row, index): StyledLine.Line => {
    const tick = ticks.get(height - 1 - index)
    const isTick = tick !== undefined
    return [
      StyledLine.span(`${Terminal.pad(tick ?? "", tickColumns, "right")} `, "muted"),
      StyledLine.span(isTick ? set.axis.tick : set.axis.vertical, "muted"),
      ...joined(row.map((cell) => cell ?? { text: isTick ? set.axis.grid : " ", role: "muted" }))
    ]
  })
  const positions = ChartSlots.labelPositions(labels, valueCount(shown), width, style)
  const axis = Array.from({ length: width }, (_, column) =>
    positions.some(({ at }) => at === column) ? set.axis.mark : set.axis.horizontal
  )
  const margin = " ".repeat(tickColumns + 1)
  const footer = [
    ...(height < rows - legend.length ? [StyledLine.line(margin + set.axis.corner + axis.join(""), "muted")] : []),
    ...(hasLabels ? [StyledLine.line(`${margin} ${ChartSlots.labelText(positions, width)}`, "muted")] : [])
  ]
  return [...legend, ...body, ...footer].map((line) => StyledLine.fit(line, columns))
}

interface Plot {
  readonly width: number
  readonly height: number
  readonly scale: ChartAxis.Scale
  readonly set: Symbols
}

type Cells = ReadonlyArray<ReadonlyArray<StyledLine.Span | undefined>>

const valueCount = (series: ReadonlyArray<Series>) =>
  series.reduce((most, { values }) => Math.max(most, values.length), 0)

const finite = (value: number | undefined): number => (value !== undefined && Number.isFinite(value) ? value : 0)

/** Returns the sums above and below zero at each time. */
const totals = (series: ReadonlyArray<Series>): ReadonlyArray<number> =>
  Array.from({ length: valueCount(series) }, (_, index) => {
    const values = series.map(({ values }) => finite(values[index]))
    return [
      values.reduce((sum, value) => sum + Math.max(0, value), 0),
      values.reduce((sum, value) => sum + Math.min(0, value), 0)
    ]
  }).flat()

const other = (series: ReadonlyArray<Series>): Series => {
  const rest = series.slice(maxSeries - 1)
  return {
    name: "other",
    values: Array.from({ length: valueCount(rest) }, (_, index) =>
      rest.reduce((sum, { values }) => sum + finite(values[index]), 0)
    )
  }
}

const legendOf = (series: ReadonlyArray<Series>, set: Symbols, style: "columns" | "lines"): StyledLine.Line =>
  series.flatMap(({ name }, index) => [
    StyledLine.span(
      `${index === 0 ? "" : "   "}${(style === "columns" ? set.fills : set.points)[index] ?? ""} `,
      roleOf(index)
    ),
    StyledLine.span(name)
  ])

const roleOf = (index: number): StyledLine.Role => seriesRoles[index] ?? "series4"

/** Returns the part of a scale at a value, from 0 to 1. */
const partOf = (value: number, { max, min }: ChartAxis.Scale): number => {
  // Halves, because the difference of two huge numbers can be infinite.
  const span = max / 2 - min / 2
  return Math.min(1, Math.max(0, (value / 2 - min / 2) / span))
}

/** Returns the row of a point, from the bottom. */
const lineRow = (value: number, scale: ChartAxis.Scale, height: number): number =>
  Math.round(partOf(value, scale) * Math.max(0, height - 1))

/** Returns the number of rows below zero. Zero is between two rows, so that bars in both directions start full. */
const rowsBelow = (scale: ChartAxis.Scale, height: number): number =>
  scale.min < 0 ? Math.min(height - (scale.max > 0 ? 1 : 0), Math.max(1, Math.round(partOf(0, scale) * height))) : 0

/** Returns the row of the end of a bar, from the bottom. */
const columnRow = (value: number, scale: ChartAxis.Scale, height: number): number => {
  const below = rowsBelow(scale, height)
  const above = height - below
  return value >= 0 && above > 0
    ? below + Math.round((scale.max > 0 ? value / scale.max : 0) * Math.max(0, above - 1))
    : below - 1 - Math.round((scale.min < 0 ? value / scale.min : 0) * Math.max(0, below - 1))
}

/** Returns the index of the value with the largest sum for each of `width` columns. */
const sampled = (series: ReadonlyArray<Series>, width: number): ReadonlyArray<number> => {
  const count = valueCount(series)
  if (count <= width) return Array.from({ length: count }, (_, index) => index)
  const size = (index: number) => series.reduce((sum, { values }) => sum + Math.abs(finite(values[index])), 0)
  return Array.from({ length: width }, (_, column) => {
    const from = Math.floor((column * count) / width)
    const to = Math.floor(((column + 1) * count) / width)
    let best = from
    for (let index = from + 1; index < to; index += 1) if (size(index) > size(best)) best = index
    return best
  })
}

const emptyCells = (width: number, height: number): Array<Array<StyledLine.Span | undefined>> =>
  Array.from({ length: height }, () => Array<StyledLine.Span | undefined>(width).fill(undefined))

const columnCells = (series: ReadonlyArray<Series>, { height, scale, set, width }: Plot): Cells => {
  const cells = emptyCells(width, height)
  const places = ChartSlots.slots(valueCount(series), width)
  const below = rowsBelow(scale, height)
  const heights = {
    up: (value: number) => (scale.max > 0 ? (value / scale.max) * (height - below) : 0),
    down: (value: number) => (scale.min < 0 ? (value / scale.min) * below : 0)
  }
  for (const [column, index] of sampled(series, width).entries()) {
    const place = places[column]
    if (place === undefined) continue
    let top = 0
    let bottom = 0
    for (const [at, { values }] of series.entries()) {
      const value = finite(values[index])
      const isUp = value >= 0
      const from = isUp ? top : bottom
      const to = from + (isUp ? heights.up(value) : heights.down(value))
      if (isUp) top = to
      else bottom = to
      for (let row = Math.floor(from); row < Math.min(to, isUp ? height - below : below); row += 1) {
        const part = Math.min(1, to - row)
        const text = series.length === 1 ? partial(isUp ? set.up : set.down, part) : (set.fills[at] ?? "#")
        // A cell that two series share belongs to the series that fills the larger part.
        if (
          series.length > 1 &&
          row === Math.floor(from) &&
          Math.min(part, row + 1 - from, to - from) < 0.5 &&
          from > 0
        )
          continue
        const line = cells[isUp ? height - 1 - below - row : height - below + row]
        line?.fill({ text, role: roleOf(at) }, place.start, place.start + place.width)
      }
    }
  }
  return cells
}

const lineCells = (series: ReadonlyArray<Series>, { height, scale, set, width }: Plot): Cells => {
  const cells = emptyCells(width, height)
  const [dotColumns, dotRows] = set.dots
  const wide = width * dotColumns
  const high = height * dotRows
  const bits = new Uint8Array(width * height)
  const draw = (x: number, y: number, at: number) => {
    const cell = Math.floor(y / dotRows) * width + Math.floor(x / dotColumns)
    bits[cell] = (bits[cell] ?? 0) | (1 << ((y % dotRows) * dotColumns + (x % dotColumns)))
    const text = dotColumns === 1 ? (set.points[at] ?? "*") : set.ofDots(bits[cell])
    cells[Math.floor(y / dotRows)]?.splice(Math.floor(x / dotColumns), 1, { text, role: roleOf(at) })
  }
  if (wide === 0 || high === 0) return cells
  for (const [at, { values }] of series.entries()) {
    const indices = sampled([{ name: "", values }], wide)
    const last = indices.length - 1
    let previous: readonly [number, number] | undefined
    for (const [place, index] of indices.entries()) {
      const value = values[index]
      if (value === undefined || !Number.isFinite(value)) {
        previous = undefined
        continue
      }
      const x = last <= 0 ? 0 : Math.round((place * (wide - 1)) / last)
      const y = high - 1 - Math.round(partOf(value, scale) * (high - 1))
      drawLine(previous ?? [x, y], [x, y], (x, y) => draw(x, y, at))
      previous = [x, y]
    }
  }
  if (series.length > 1)
    for (const [at, one] of series.entries()) addPoints(cells, one, at, series.length, { height, scale, set, width })
  return cells
}

/** Number of columns between two points of a line. */
const POINT_DISTANCE = 16

/** Puts points on a line, so that lines differ without color. The points of two lines are in different columns. */
const addPoints = (
  cells: Array<Array<StyledLine.Span | undefined>>,
  { values }: Series,
  at: number,
  count: number,
  { set }: Plot
): void => {
  if (values.length === 0) return
  const width = cells[0]?.length ?? 0
  const offset = Math.floor(((at + 0.5) * POINT_DISTANCE) / count)
  for (let column = Math.min(offset, width - 1); column < width; column += POINT_DISTANCE) {
    const row = cells.find((row) => row[column]?.role === roleOf(at))
    row?.splice(column, 1, { text: set.points[at] ?? "*", role: roleOf(at) })
  }
}

/** Visits the dots of a straight line (Bresenham). */
const drawLine = (
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  visit: (x: number, y: number) => void
): void => {
  const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1)
  for (let step = 0; step <= steps; step += 1) {
    visit(Math.round(fromX + ((toX - fromX) * step) / steps), Math.round(fromY + ((toY - fromY) * step) / steps))
  }
}

/** Joins neighbors with the same role to one span. */
const joined = (cells: ReadonlyArray<StyledLine.Span>): StyledLine.Line => {
  const spans: Array<StyledLine.Span> = []
  for (const cell of cells) {
    const last = spans.at(-1)
    if (last?.role === cell.role) spans[spans.length - 1] = { ...last, text: last.text + cell.text }
    else spans.push(cell)
  }
  return spans
}
