/** A small table inside a document, whose lines open further screens. */
import type { DocumentLine } from "../../content/Document.ts"
import type { TableColumn } from "../../content/Table.ts"
import * as ColumnLayout from "../../text/ColumnLayout.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"

/** A line of the table: cells, and the members of a document's line. */
export interface GridRow extends Omit<DocumentLine, "line"> {
  readonly cells: ReadonlyArray<Line>
}

/** Formats a table with headers for a width in columns. */
export const lines = (
  columns: ReadonlyArray<TableColumn>,
  rows: ReadonlyArray<GridRow>,
  width: number
): ReadonlyArray<DocumentLine> => {
  const headers = columns.map(({ header }) => StyledLine.line(header, "muted"))
  const measured = ColumnLayout.naturalWidths(columns, [headers, ...rows.map(({ cells }) => cells)])
  const grow = columns.map((column, index) => (column.size === "grow" ? (measured[index] ?? 0) : 0))
  // A table without long cells is not stretched, so that the columns are near each other.
  const natural = measured.reduce((sum, column) => sum + column + GAP, 0)
  const most = Math.max(...grow, 0) > 0 ? Math.min(width, natural) : width
  const widths = ColumnLayout.columnWidths(columns, measured, most)
  return [
    { line: ColumnLayout.joinCells(columns, widths, headers) },
    ...rows.map(({ cells, ...rest }) => ({ ...rest, line: ColumnLayout.joinCells(columns, widths, cells) }))
  ]
}

/** Spaces between two columns. */
const GAP = 2
