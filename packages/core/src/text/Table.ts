/** Plain-text tables: aligned columns, truncated to the width of the terminal. Callers may add color to the lines. */
import * as Terminal from "./Terminal.ts"

/** A column of a table. */
export interface Column<in Row> {
  readonly header: string
  /** Returns the text of a row's cell, which the table escapes. */
  readonly value: (row: Row) => string
  /** Alignment of the cells. Default: `left`. */
  readonly align?: "left" | "right"
  /** True for a column that is truncated last, such as ids, counts and dates. */
  readonly keep?: boolean
  /** Minimum useful width in terminal columns of a column without `keep`. Default: 1. */
  readonly least?: number
  /**
   * True if the table may omit the column when other columns have less than their `least` width. Omits the rightmost
   * such column first.
   */
  readonly optional?: boolean
}

/** Number of spaces between two columns. */
export const GAP = 2

/**
 * Renders the lines of a table, the header first, of at most `width` terminal columns and without trailing spaces.
 * Default: no limit.
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

/** Returns the indexes of the columns that remain after omitting columns without enough room. */
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

/** Fits column widths into `room`. Shrinks columns without `keep` first, starting with the widest. */
const fit = (natural: ReadonlyArray<number>, keep: ReadonlyArray<boolean>, room: number): ReadonlyArray<number> => {
  const kept = natural.reduce((sum, width, index) => (keep[index] === true ? sum + width : sum), 0)
  const flexible = natural.filter((_, index) => keep[index] !== true)
  // If less than one character remains for each of the other columns, all columns are shrunk.
  if (flexible.length > 0 && room - kept >= flexible.length) {
    const shrunk = level(flexible, room - kept)
    let next = 0
    return natural.map((width, index) => (keep[index] === true ? width : (shrunk[next++] ?? 0)))
  }
  return level(natural, room)
}

/** Shrinks the widest columns to a common width at which all fit. The first of them get the remaining characters. */
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
