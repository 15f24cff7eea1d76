/** Plain-text tables: aligned columns, truncated to the width of the terminal. Without colour; callers may add it to lines. */
import * as Terminal from "./Terminal.ts"

/** A column of a table. */
export interface Column<in Row> {
  readonly header: string
  /** The cell of a row, unescaped: the table escapes it. */
  readonly value: (row: Row) => string
  /** Default `left`. */
  readonly align?: "left" | "right"
  /** True for a column that is truncated last: ids, counts, dates. */
  readonly keep?: boolean
  /** Narrowest useful width of a column that does not keep its width; 1 by default. */
  readonly least?: number
  /** True if the table may leave the column out while others have less than their least width: the rightmost first. */
  readonly optional?: boolean
}

/** Spaces between two columns. */
export const GAP = 2

/** The lines of a table, the header first, of at most `width` columns and without trailing spaces. Default: no limit. */
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

/** Fits the widths into `room`: truncates columns without `keep` first, and of those the widest. */
const fit = (natural: ReadonlyArray<number>, keep: ReadonlyArray<boolean>, room: number): ReadonlyArray<number> => {
  const kept = natural.reduce((sum, width, index) => (keep[index] === true ? sum + width : sum), 0)
  const flexible = natural.filter((_, index) => keep[index] !== true)
  // If the other columns would have less than one character each, truncates all columns.
  if (flexible.length > 0 && room - kept >= flexible.length) {
    const shrunk = level(flexible, room - kept)
    let next = 0
    return natural.map((width, index) => (keep[index] === true ? width : (shrunk[next++] ?? 0)))
  }
  return level(natural, room)
}

/** Truncates the widest to a common width at which all fit. The remainder goes to the first of them. */
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
