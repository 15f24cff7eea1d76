/** Lists as text: an aligned table on a terminal, tab-separated values in a pipe. */
import * as Table from "@tongs/core/text/Table"
import * as Terminal from "@tongs/core/text/Terminal"

/** A column of a list. */
export interface Column<in Row> extends Table.Column<Row> {
  /** Returns the value for programs, without abbreviations. Default: `value`. */
  readonly raw?: (row: Row) => string
}

/** Options of the text format. */
export interface Options {
  /** Width of the terminal in columns. Infinite for programs. */
  readonly columns: number
  readonly paint: { readonly dim: (text: string) => string }
}

/**
 * Formats a list as lines. On a terminal, a table with a header that fits the width. For programs, values that are
 * separated by tabs, without a header and not truncated.
 */
export const lines = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  { columns: width, paint }: Options
): ReadonlyArray<string> => {
  if (!Number.isFinite(width)) {
    return rows.map((row) => record(columns.map(({ raw, value }) => (raw ?? value)(row))))
  }
  const [header = "", ...body] = Table.render(columns, rows, width)
  return [paint.dim(header), ...body]
}

/** Formats values as one line for programs. */
export const record = (values: ReadonlyArray<string>): string => values.map(cell).join("\t")

/** Formats a value. Like gh, replaces the separators of values (tab and newline) by spaces. */
export const cell = (value: string): string => Terminal.escape(value.replace(/[\t\r\n]+/g, " "))
