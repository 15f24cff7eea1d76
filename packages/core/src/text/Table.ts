/**
 * A plain-text table for people: aligned columns, cut to the width of the screen. It holds no colour; whoever prints it
 * may colour its lines.
 */
import * as Terminal from "./Terminal.ts"

/** How one column reads its cell from a row, and how it behaves when room is short. */
export interface Column<in Row> {
  readonly header: string
  /** The cell, as it came: the table makes it safe to show. */
  readonly value: (row: Row) => string
  /** Default `left`. */
  readonly align?: "left" | "right"
  /** A column that keeps its width as long as others can still give way: ids, counts, dates. */
  readonly keep?: boolean
  /** Narrowest useful width of a column that does not keep its width; 1 by default. */
  readonly least?: number
  /** True if the table may leave the column out while others have less than their least width: the rightmost first. */
  readonly optional?: boolean
}

/** Spaces between two columns. */
export const GAP = 2

/**
 * The lines of the table, the header first, none wider than `width` columns and none ending in spaces. Without `width`
 * nothing is cut.
 */
export const render = <Row>(
  all: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  width = Number.POSITIVE_INFINITY
): ReadonlyArray<string> => {
  const whole = [
    all.map((column) => Terminal.escape(column.header)),
    ...rows.map((row) => all.map((column) => Terminal.escape(column.value(row))))
  ]
  const widest = all.map((_, index) =>
    whole.reduce((widest, line) => Math.max(widest, Terminal.width(line[index] ?? "")), 0)
  )
  const shown = indexesThatFit(all, widest, width)
  const pick = <A>(values: ReadonlyArray<A>) => values.filter((_, index) => shown.has(index))
  const columns = pick(all)
  const cells = whole.map(pick)
  const natural = pick(widest)
  const widths = fit(
    natural,
    columns.map((column) => column.keep === true),
    width - GAP * Math.max(0, columns.length - 1)
  )
  return cells.map((line) => {
    const padded = columns.map((column, index) => {
      const columnWidth = widths[index] ?? 0
      return Terminal.pad(Terminal.truncate(line[index] ?? "", columnWidth), columnWidth, column.align)
    })
    return Terminal.truncate(padded.join(" ".repeat(GAP)).trimEnd(), width)
  })
}

/** The columns that remain once those without enough room are left out. */
const indexesThatFit = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  widest: ReadonlyArray<number>,
  width: number
): ReadonlySet<number> => {
  const shown = new Set(columns.keys())
  const needed = ({ keep, least = 1 }: Column<Row>, index: number) =>
    GAP + (keep === true ? (widest[index] ?? 0) : Math.min(least, widest[index] ?? 0))
  let total = columns.reduce((sum, column, index) => sum + needed(column, index), -GAP)
  for (const [index, column] of [...columns.entries()].reverse()) {
    if (total <= width) break
    if (column.optional !== true) continue
    shown.delete(index)
    total -= needed(column, index)
  }
  return shown
}

/**
 * The widths that add up to at most `room`: columns that need not be kept give way first, the widest of them first, so
 * that narrow ones stay whole.
 */
const fit = (natural: ReadonlyArray<number>, keep: ReadonlyArray<boolean>, room: number): ReadonlyArray<number> => {
  const kept = natural.reduce((sum, width, index) => (keep[index] === true ? sum + width : sum), 0)
  const flexible = natural.filter((_, index) => keep[index] !== true)
  // Where not even one column each is left for the others, everybody gives way.
  if (flexible.length > 0 && room - kept >= flexible.length) {
    const shrunk = level(flexible, room - kept)
    let next = 0
    return natural.map((width, index) => (keep[index] === true ? width : (shrunk[next++] ?? 0)))
  }
  return level(natural, room)
}

/** Cuts the widest to a common level at which all fit; what does not divide goes to the first of them. */
const level = (widths: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return widths
  let left = Math.max(0, room)
  let waiting = widths.length
  let cap = 0
  for (const width of widths.toSorted((a, b) => a - b)) {
    cap = Math.floor(left / waiting)
    if (width > cap) break
    left -= width
    waiting--
  }
  let spare = left - cap * waiting
  return widths.map((width) => (width <= cap ? width : spare-- > 0 ? cap + 1 : cap))
}
