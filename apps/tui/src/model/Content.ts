/** What a place holds, ready to draw: a list of rows, or a text. */
import type { Column } from "./Columns.ts"
import * as Columns from "./Columns.ts"
import * as Line from "./Line.ts"
import type { Place } from "./Place.ts"

export interface Row {
  /** What `y` copies: a commit's id, a name, a path. */
  readonly id: string
  /** Where Enter leads. */
  readonly place: Place | undefined
  readonly cells: ReadonlyArray<Line.Line>
  /** More about it, for a wide screen, in lines of so many columns. */
  readonly aside?: (columns: number) => ReadonlyArray<Line.Line>
}

/** What stands in a list that has nothing in it. */
export interface Nothing {
  readonly title: string
  /** What to do next. */
  readonly hint: string
}

export interface List {
  readonly _tag: "List"
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<Row>
  /** How wide the widest cell of each column is. */
  readonly natural: ReadonlyArray<number>
  /** How many rows there are on all pages, where the forge says. */
  readonly total: number | undefined
  /** Whether these are all. */
  readonly done: boolean
  /** One row, as `commit`, and several. */
  readonly noun: readonly [one: string, many: string]
  readonly nothing: Nothing
}

/** A section of a text, as a file of a commit: `]` and `[` go from one to the next. */
export interface Part {
  /** The line at which it starts. */
  readonly at: number
  readonly title: string
  readonly place: Place | undefined
}

/** A text, laid out for one width. */
export interface Layout {
  readonly lines: ReadonlyArray<Line.Line>
  readonly parts: ReadonlyArray<Part>
  /** The line to start at. */
  readonly start: number
}

export interface Document {
  readonly _tag: "Document"
  readonly layout: (columns: number) => Layout
  /** What `y` copies. */
  readonly id: string
}

/** In place of a text that cannot be shown: a binary file, a submodule. */
export interface Notice extends Nothing {
  readonly _tag: "Notice"
  readonly id: string
}

export type Content = List | Document | Notice

export const list = (fields: Omit<List, "_tag" | "natural">): List => ({
  _tag: "List",
  ...fields,
  natural: Columns.natural(
    fields.columns,
    fields.rows.map((row) => row.cells)
  )
})

/** A document that is laid out once for each width that it is shown in. */
export const document = (id: string, layout: (columns: number) => Layout): Document => {
  let last: { readonly columns: number; readonly layout: Layout } | undefined
  return {
    _tag: "Document",
    id,
    layout: (columns) => {
      if (last?.columns !== columns) last = { columns, layout: layout(columns) }
      return last.layout
    }
  }
}

/** The rows whose text has every word of the filter, whatever the case. */
export const filter = (rows: ReadonlyArray<Row>, words: string): ReadonlyArray<Row> => {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const text = row.cells.map(Line.text).join(" ").toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
