/** What a place holds, ready to draw: a list of rows, or a text. */
import type { Column } from "./ColumnLayout.ts"
import * as ColumnLayout from "./ColumnLayout.ts"
import * as StyledLine from "./StyledLine.ts"
import type { Route } from "./Route.ts"

export interface Row {
  /** What `y` copies: a commit's id, a name, a path. */
  readonly id: string
  /** Where Enter leads. */
  readonly route: Route | undefined
  /** Its page on the web, as the forge names it. */
  readonly webUrl?: string | null
  readonly cells: ReadonlyArray<StyledLine.Line>
  /** More about it, for a wide screen, in lines of so many columns. */
  readonly preview?: (columns: number) => ReadonlyArray<StyledLine.Line>
}

/** What stands in a list that has nothing in it. */
export interface Message {
  readonly title: string
  /** What to do next. */
  readonly hint: string
}

export interface List {
  readonly _tag: "List"
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<Row>
  /** How wide the widest cell of each column is. */
  readonly naturalWidths: ReadonlyArray<number>
  /** How many rows there are on all pages, where the forge says. */
  readonly total: number | undefined
  /** Whether these are all. */
  readonly isFullyLoaded: boolean
  /** Whether the forge stopped early: there may be more than it says. */
  readonly incompleteResults: boolean
  /** One row, as `commit`, and several. */
  readonly noun: readonly [one: string, many: string]
  readonly emptyMessage: Message
}

/** A section of a text, as a file of a commit: `]` and `[` go from one to the next. */
export interface Section {
  /** The line at which it starts. */
  readonly firstLine: number
  readonly title: string
  readonly route: Route | undefined
}

/** A text, laid out for one width. */
export interface Layout {
  readonly lines: ReadonlyArray<StyledLine.Line>
  readonly sections: ReadonlyArray<Section>
  /** The line to start at. */
  readonly initialLine: number
}

export interface Document {
  readonly _tag: "Document"
  readonly layout: (columns: number) => Layout
  /** What `y` copies. */
  readonly id: string
  readonly webUrl?: string | null
}

/** In place of a text that cannot be shown: a binary file, a submodule. */
export interface Notice extends Message {
  readonly _tag: "Notice"
  readonly id: string
  readonly webUrl?: string | null
}

export type Content = List | Document | Notice

/** What is the same of every list of one kind: how it looks, and what the rows of an item are. */
export interface ListDefinition<A> extends Pick<List, "columns" | "noun" | "emptyMessage"> {
  readonly rows: (item: A, now: number) => ReadonlyArray<Row>
}

/** A list of that kind before anything of it has been read. */
export const emptyList = <A>({ columns, noun, emptyMessage }: ListDefinition<A>): List => ({
  _tag: "List",
  columns,
  noun,
  emptyMessage,
  rows: [],
  naturalWidths: columns.map(() => 0),
  total: undefined,
  isFullyLoaded: false,
  incompleteResults: false
})

/** The list with more rows at its end: only those are measured. */
export const appendRows = (
  self: List,
  rows: ReadonlyArray<Row>,
  more: Pick<List, "total" | "isFullyLoaded" | "incompleteResults">
): List => {
  const widths = ColumnLayout.naturalWidths(
    self.columns,
    rows.map((row) => row.cells)
  )
  return {
    ...self,
    ...more,
    rows: [...self.rows, ...rows],
    naturalWidths: self.naturalWidths.map((width, index) => Math.max(width, widths[index] ?? 0))
  }
}

/** A document that is laid out once for each width that it is shown in. */
export const makeDocument = (id: string, web: string | null, layout: (columns: number) => Layout): Document => {
  let last: { readonly columns: number; readonly layout: Layout } | undefined
  return {
    _tag: "Document",
    id,
    webUrl: web,
    layout: (columns) => {
      if (last?.columns !== columns) last = { columns, layout: layout(columns) }
      return last.layout
    }
  }
}

/** The rows whose text has every word of the filter, whatever the case. */
export const filterRows = (rows: ReadonlyArray<Row>, words: string): ReadonlyArray<Row> => {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const text = row.cells.map(StyledLine.text).join(" ").toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
