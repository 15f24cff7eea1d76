/** Computes the widths of a list's columns. All widths are in terminal columns. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "./StyledLine.ts"
import type { Line, Span } from "./StyledLine.ts"

/** The size and alignment of a column. */
export interface Column {
  /** `fit` is the width of the widest cell; `grow` shares the remaining width. */
  readonly size: "fit" | "grow"
  /** Maximum share of the screen for a `fit` column, from 0 to 1; 1 by default. */
  readonly maxShare?: number
  readonly align?: "left" | "right"
  /** Truncates long cells at the start instead of the end. */
  readonly truncate?: "start"
  /**
   * Order of hiding, highest first, while a `grow` column is narrower than `MIN_GROW_WIDTH`. A column without this
   * member is never hidden.
   */
  readonly optional?: number
}

/** Spaces between two columns. */
const GAP = 2

/** Minimum width of a `grow` column before optional columns are hidden. */
const MIN_GROW_WIDTH = 24

/** Maximum width of a cell to measure, which limits the cost of long cells. No screen is wider. */
const MAX_WIDTH = 1_000

/** Returns the width of the widest cell of each column. */
export const naturalWidths = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<Line>>
): ReadonlyArray<number> =>
  columns.map((_, index) =>
    rows.reduce(
      (widest, cells) => Math.max(widest, StyledLine.widthUpTo(cells[index] ?? StyledLine.empty, MAX_WIDTH)),
      0
    )
  )

/** Returns the width of each column on a screen of the given width; 0 for a hidden column. */
export const columnWidths = (
  columns: ReadonlyArray<Column>,
  natural: ReadonlyArray<number>,
  width: number
): ReadonlyArray<number> => {
  const shown = columns.map((_, index) => (natural[index] ?? 0) > 0)
  const widthOf = (index: number) => {
    const column = columns[index]
    const maximum = Math.floor(width * (column?.maxShare ?? 1))
    return shown[index] !== true || column === undefined ? 0 : Math.min(natural[index] ?? 0, maximum)
  }
  const growing = () =>
    columns.flatMap((column, index) => (column.size === "grow" && shown[index] === true ? [index] : []))
  const room = () => {
    const visible = shown.filter(Boolean).length
    const fixed = columns.reduce((sum, column, index) => (column.size === "fit" ? sum + widthOf(index) : sum), 0)
    return width - fixed - GAP * Math.max(0, visible - 1)
  }
  const enough = () => {
    const need = growing().reduce((sum, index) => sum + Math.min(MIN_GROW_WIDTH, natural[index] ?? 0), 0)
    return room() >= need
  }
  const optional = columns
    .map((column, index) => ({ index, rank: column.optional ?? 0 }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
  for (const { index } of optional) {
    if (enough()) break
    shown[index] = false
  }
  const grow = growing()
  // Without a `grow` column, the first column takes the remaining width, so that the last column ends at the edge.
  if (grow.length === 0) return columns.map((_, index) => widthOf(index) + (index === 0 ? Math.max(0, room()) : 0))
  const each = Math.floor(Math.max(0, room()) / grow.length)
  const extra = Math.max(0, room()) - each * grow.length
  return columns.map((column, index) => {
    if (shown[index] !== true) return 0
    if (column.size === "fit") return widthOf(index)
    return each + (index === grow.at(-1) ? extra : 0)
  })
}

/** Joins the cells of one row to a line. */
export const joinCells = (
  columns: ReadonlyArray<Column>,
  widths: ReadonlyArray<number>,
  cells: ReadonlyArray<Line>
): Line => {
  const parts: Array<Span> = []
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0
    if (width === 0) continue
    if (parts.length > 0) parts.push(gap)
    const cell = cells[index] ?? StyledLine.empty
    parts.push(
      ...(column.truncate === "start" ? StyledLine.fitFromEnd(cell, width) : StyledLine.fit(cell, width, column.align))
    )
  }
  return parts
}

const gap: Span = { text: Terminal.pad("", GAP), role: "plain" }
