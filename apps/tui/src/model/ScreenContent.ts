/** The content of a screen, ready to draw: a list, a document, or a notice. */
import type { Column } from "../text/ColumnLayout.ts"
import * as ColumnLayout from "../text/ColumnLayout.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import type { Route } from "./Route.ts"

/** An item of a list. */
export interface Row {
  /** The text that `y` copies: a commit's id, a name, or a path. */
  readonly id: string
  /** The screen that Enter opens. */
  readonly route: Route | undefined
  /** The web page that `o` opens. */
  readonly webUrl?: string | null
  readonly cells: ReadonlyArray<Line>
  /** Lines of the preview on a wide screen, for a preview of the given width. */
  readonly preview?: (columns: number) => ReadonlyArray<Line>
}

/** A text in place of content: for empty lists and failures. */
export interface Message {
  readonly title: string
  /** The next step for the user. */
  readonly hint: string
}

/** The loaded part of a list. */
export interface List {
  readonly _tag: "List"
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<Row>
  /** The width of the widest cell of each column. */
  readonly naturalWidths: ReadonlyArray<number>
  /** The number of rows on all pages, if the forge reports it. */
  readonly total: number | undefined
  /** True after the last page. */
  readonly isFullyLoaded: boolean
  /** True if the forge stopped its search early, so that there may be more results. */
  readonly incompleteResults: boolean
  /** Name of the items in singular and plural, for example `commit` and `commits`. */
  readonly noun: readonly [one: string, many: string]
  readonly emptyMessage: Message
}

/** A section of a document, such as a file of a commit. `]` and `[` jump between sections. */
export interface Section {
  /** Index of the section's first line. */
  readonly firstLine: number
  readonly title: string
  readonly route: Route | undefined
}

/** The layout of a document for one screen width. */
export interface Layout {
  readonly lines: ReadonlyArray<Line>
  readonly sections: ReadonlyArray<Section>
  /** Index of the line to start at. */
  readonly initialLine: number
}

/** A text that can be scrolled. */
export interface Document {
  readonly _tag: "Document"
  readonly layout: (columns: number) => Layout
  /** The text that `y` copies. */
  readonly id: string
  readonly webUrl?: string | null
}

/** A message in place of a document that cannot be shown, such as a binary file. */
export interface Notice extends Message {
  readonly _tag: "Notice"
  readonly id: string
  readonly webUrl?: string | null
}

/** The content of a screen. */
export type Content = List | Document | Notice

/** The definition of a list: its columns, its texts, and the conversion of items to rows. */
export interface ListDefinition<A> extends Pick<List, "columns" | "noun" | "emptyMessage"> {
  /** Converts an item to rows. `now` is in epoch milliseconds. */
  readonly rows: (item: A, now: number) => ReadonlyArray<Row>
}

/** Creates a list without rows, for use before its first page is loaded. */
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

/** Appends rows to a list. Measures only the new rows. */
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

/** Creates a document that caches its layout for the last width. */
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

/** Returns the rows that contain every word of the filter, case-insensitively. */
export const filterRows = (rows: ReadonlyArray<Row>, filter: string): ReadonlyArray<Row> => {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const text = row.cells.map(StyledLine.text).join(" ").toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
