/** Lays out tables of Markdown: aligned columns, shrunk to the width of the screen. */
import type { Align, Content, Table } from "./MarkdownBlock.ts"
import * as MarkdownRow from "./MarkdownRow.ts"
import type { Row } from "./MarkdownRow.ts"

/** The line between two columns, and its crossing with the line below the header. */
const SEPARATOR = " │ "
const CROSSING = "─┼─"

/** Maximum number of columns of a table. Further columns are not shown. */
const MAX_COLUMNS = 50

/** Width of a column below which rows are shown as lists of fields. */
const MIN_WIDTH = 14

/** Width above which the rest of a cell is not measured. No screen is wider. */
const MAX_WIDTH = 1_000

/** Returns the rows of a table. Long cells are wrapped. */
export const layout = (table: Table, columns: number): ReadonlyArray<Row> => {
  const count = Math.min(MAX_COLUMNS, table.aligns.length)
  if (count === 0) return []
  const natural = Array.from({ length: count }, (_, column) =>
    table.rows.reduce((most, row) => Math.max(most, naturalWidth(row[column] ?? [])), 1)
  )
  const room = columns - SEPARATOR.length * (count - 1)
  const widths = shrink(natural, room)
  if (widths.some((width, column) => width < Math.min(MIN_WIDTH, natural[column] ?? 0))) return fields(table, columns)
  const [header = [], ...rows] = table.rows
  return [
    ...tableRow(header, widths, table.aligns, "strong"),
    MarkdownRow.make([{ text: widths.map((width) => "─".repeat(width)).join(CROSSING), role: "muted" }]),
    ...rows.flatMap((row) => tableRow(row, widths, table.aligns, "plain"))
  ]
}

/** The width of a cell with one line, and of the longest line of a cell with several. */
const naturalWidth = (content: Content) =>
  MarkdownRow.wrap(content, MAX_WIDTH).reduce((most, { width }) => Math.max(most, width), 0)

/** Shrinks the widest columns to one width, so that all fit. */
const shrink = (natural: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  let left = room
  let cap = 0
  const sorted = [...natural].sort((a, b) => a - b)
  for (const [index, width] of sorted.entries()) {
    cap = Math.floor(left / (sorted.length - index))
    if (width > cap) return distribute(natural, Math.max(0, cap), left - cap * (sorted.length - index))
    left -= width
  }
  return natural
}

/** Gives the `rest` of the room to the first of the shrunk columns, one each. */
const distribute = (natural: ReadonlyArray<number>, cap: number, rest: number): ReadonlyArray<number> => {
  let left = rest
  return natural.map((width) => (width > cap && left-- > 0 ? cap + 1 : Math.min(width, cap)))
}

const tableRow = (
  cells: ReadonlyArray<Content>,
  widths: ReadonlyArray<number>,
  aligns: ReadonlyArray<Align>,
  role: "plain" | "strong"
): ReadonlyArray<Row> => {
  const wrapped = widths.map((width, column) => MarkdownRow.wrap(cells[column] ?? [], width, role))
  const height = wrapped.reduce((most, rows) => Math.max(most, rows.length), 1)
  const separator = MarkdownRow.make([{ text: SEPARATOR, role: "muted" }])
  return Array.from({ length: height }, (_, index) =>
    MarkdownRow.join(
      widths.flatMap((width, column) => {
        const cell = aligned(wrapped[column]?.[index] ?? MarkdownRow.empty, width, aligns[column] ?? "left")
        return column === 0 ? [cell] : [separator, cell]
      })
    )
  )
}

const aligned = (row: Row, width: number, align: Align): Row => {
  const left = Math.max(0, width - row.width)
  const before = align === "left" ? 0 : align === "right" ? left : left >> 1
  return MarkdownRow.join([space(before), row, space(left - before)])
}

const space = (width: number): Row =>
  width === 0 ? MarkdownRow.empty : MarkdownRow.make([{ text: " ".repeat(width), role: "plain" }])

/** Shows each row as one field per line, for a screen too narrow for the table. */
const fields = (table: Table, columns: number): ReadonlyArray<Row> => {
  const [header = [], ...rows] = table.rows
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [MarkdownRow.empty]),
    ...row.slice(0, MAX_COLUMNS).flatMap((cell, column) => {
      const name = (header[column] ?? []).map((inline) => ({ ...inline, role: inline.role ?? ("strong" as const) }))
      return MarkdownRow.wrap([...name, { text: ": ", role: "strong" }, ...cell], columns)
    })
  ])
}
