/** A list's columns: as wide as they need to be, and who gives way when the screen is narrow. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "./StyledLine.ts"

export interface Column {
  /** `fit` is as wide as its widest cell; `grow` shares what is left. */
  readonly size: "fit" | "grow"
  /** The most of the screen that a `fit` column may take; all of it by default. */
  readonly most?: number
  readonly align?: "left" | "right"
  /** Which end of a cell that is too long is cut off; the last by default. */
  readonly cut?: "start"
  /** Left out where the `grow` columns would have less than `LEAST` otherwise; the highest number goes first. */
  readonly optional?: number
}

/** Spaces between two columns. */
const GAP = 2

/** Columns of the screen that a `grow` column should at least have. */
const LEAST = 24

/** No screen is wider. */
const WIDEST = 1_000

/** How wide the widest cell of each column is. */
export const naturalWidths = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<StyledLine.Line>>
): ReadonlyArray<number> =>
  columns.map((_, index) =>
    rows.reduce((widest, cells) => Math.max(widest, StyledLine.widthUpTo(cells[index] ?? StyledLine.empty, WIDEST)), 0)
  )

/** The width of each column on a screen of `width` columns; 0 for one that is left out. */
export const columnWidths = (
  columns: ReadonlyArray<Column>,
  natural: ReadonlyArray<number>,
  width: number
): ReadonlyArray<number> => {
  const shown = columns.map((_, index) => (natural[index] ?? 0) > 0)
  const widthOf = (index: number) => {
    const column = columns[index]
    const most = Math.floor(width * (column?.most ?? 1))
    return shown[index] !== true || column === undefined ? 0 : Math.min(natural[index] ?? 0, most)
  }
  const growing = () =>
    columns.flatMap((column, index) => (column.size === "grow" && shown[index] === true ? [index] : []))
  const room = () => {
    const visible = shown.filter(Boolean).length
    const fixed = columns.reduce((sum, column, index) => (column.size === "fit" ? sum + widthOf(index) : sum), 0)
    return width - fixed - GAP * Math.max(0, visible - 1)
  }
  const enough = () => {
    const need = growing().reduce((sum, index) => sum + Math.min(LEAST, natural[index] ?? 0), 0)
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
  // Without a column that grows the first takes what is left, so that the last ends at the edge.
  if (grow.length === 0) return columns.map((_, index) => widthOf(index) + (index === 0 ? Math.max(0, room()) : 0))
  const each = Math.floor(Math.max(0, room()) / grow.length)
  const extra = Math.max(0, room()) - each * grow.length
  return columns.map((column, index) => {
    if (shown[index] !== true) return 0
    if (column.size === "fit") return widthOf(index)
    return each + (index === grow.at(-1) ? extra : 0)
  })
}

/** One row of the list. */
export const joinCells = (
  columns: ReadonlyArray<Column>,
  widths: ReadonlyArray<number>,
  cells: ReadonlyArray<StyledLine.Line>
): StyledLine.Line => {
  const parts: Array<StyledLine.Span> = []
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0
    if (width === 0) continue
    if (parts.length > 0) parts.push(gap)
    const cell = cells[index] ?? StyledLine.empty
    parts.push(
      ...(column.cut === "start" ? StyledLine.fitFromEnd(cell, width) : StyledLine.fit(cell, width, column.align))
    )
  }
  return parts
}

const gap: StyledLine.Span = { text: Terminal.pad("", GAP), role: "plain" }
