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
  /** Its page on the web, as the forge names it. */
  readonly web?: string | null
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
  /** Whether the forge stopped early: there may be more than it says. */
  readonly incomplete: boolean
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
  readonly web?: string | null
}

/** In place of a text that cannot be shown: a binary file, a submodule. */
export interface Notice extends Nothing {
  readonly _tag: "Notice"
  readonly id: string
  readonly web?: string | null
}

export type Content = List | Document | Notice

/** What is the same of every list of one kind: how it looks, and what the rows of an item are. */
export interface Kind<A> extends Pick<List, "columns" | "noun" | "nothing"> {
  readonly rows: (item: A, now: number) => ReadonlyArray<Row>
}

/** A list of that kind before anything of it has been read. */
export const list = <A>({ columns, noun, nothing }: Kind<A>): List => ({
  _tag: "List",
  columns,
  noun,
  nothing,
  rows: [],
  natural: columns.map(() => 0),
  total: undefined,
  done: false,
  incomplete: false
})

/** The list with more rows at its end: only those are measured. */
export const append = (
  self: List,
  rows: ReadonlyArray<Row>,
  more: Pick<List, "total" | "done" | "incomplete">
): List => {
  const widths = Columns.natural(
    self.columns,
    rows.map((row) => row.cells)
  )
  return {
    ...self,
    ...more,
    rows: [...self.rows, ...rows],
    natural: self.natural.map((width, index) => Math.max(width, widths[index] ?? 0))
  }
}

/** A document that is laid out once for each width that it is shown in. */
export const document = (id: string, web: string | null, layout: (columns: number) => Layout): Document => {
  let last: { readonly columns: number; readonly layout: Layout } | undefined
  return {
    _tag: "Document",
    id,
    web,
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
