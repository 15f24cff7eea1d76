/** A list of items. Rows hold values, and only the visible ones are formatted. */
import type { Column } from "../text/ColumnLayout.ts"
import * as ColumnLayout from "../text/ColumnLayout.ts"
import * as FuzzyMatch from "../text/FuzzyMatch.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import type { Message } from "./Message.ts"
import * as Document from "./Document.ts"
import type { Arguments, Route } from "./Route.ts"

/** An item of a table. */
export interface Row {
  /** Identifies the item in the list. The cursor and marks follow the item when the list changes. */
  readonly id: string
  /** The name of the item in confirmations and messages. */
  readonly title: string
  /** The text that `y` copies: a commit's id, a name, or a path. */
  readonly copy: string
  /** The screen that Enter opens. */
  readonly route?: Route | undefined
  /** The web page that `o` opens. */
  readonly webUrl?: string | null | undefined
  /** Arguments that the item gives to operations, such as `hook_id`. */
  readonly arguments: Arguments
  /** The item, as the forge sent it. */
  readonly value: unknown
  /** Formats the cells. `now` is in epoch milliseconds. */
  readonly cells: (now: number) => ReadonlyArray<Line>
  /** Details for the pane beside the table, and for the screen of the item while it loads. */
  readonly preview?: (() => Document.Document) | undefined
}

/** A column of a table. */
export interface TableColumn extends Column {
  readonly header: string
}

/** The definition of a table for items of type `A`. */
export interface TableDefinition<A> {
  readonly columns: ReadonlyArray<TableColumn>
  /** Name of the items in singular and plural, for example `commit` and `commits`. */
  readonly noun: readonly [one: string, many: string]
  readonly emptyMessage: Message
  readonly row: (item: A) => Row
  /** True if the table has a line with the headers of its columns. */
  readonly hasHeader?: boolean
}

/** The items of a list by position. Positions without an item are not loaded. */
export interface Rows {
  /** Number of positions: all items if the forge reports their number, or else the loaded items. */
  readonly count: number
  /** Returns the row at a position; undefined if it is not loaded. */
  readonly at: (index: number) => Row | undefined
  /** Returns the position of a loaded row; -1 if none has this id. */
  readonly indexOf: (id: string) => number
  /** Number of loaded rows. */
  readonly loaded: number
}

/** The loaded part of a list. */
export interface Table extends Omit<TableDefinition<never>, "row"> {
  readonly _tag: "Table"
  readonly rows: Rows
  /** Number of rows above the items, such as the uncommitted changes above the commits. */
  readonly above: number
  /** True if `rows.count` is the number of all items, rather than of those known so far. */
  readonly isCounted: boolean
  /** True if every row is loaded. */
  readonly isFullyLoaded: boolean
  /** True if the forge stopped its search early, so that there may be more results. */
  readonly incompleteResults: boolean
  /** Describes the list in the status line, in place of the number of its items. */
  readonly summary?: string | undefined
  /** Widest cells that have been visible, by column. Mutable, so that columns do not move while the user scrolls. */
  readonly widest: Array<number>
}

/** Creates the rows of a complete list. */
export const fromRows = (rows: ReadonlyArray<Row>): Rows => ({
  count: rows.length,
  at: (index) => rows[index],
  indexOf: (id) => rows.findIndex((row) => row.id === id),
  loaded: rows.length
})

/** Creates the rows of numbered pages with `size` items each. Creates each row when it is first read. */
export const fromPages = <A>(
  pages: ReadonlyMap<number, ReadonlyArray<A>>,
  size: number,
  count: number,
  row: (item: A) => Row
): Rows => {
  const made = new Map<number, Row>()
  const at = (index: number) => {
    const known = made.get(index)
    if (known !== undefined) return known
    const item = pages.get(Math.floor(index / size) + 1)?.[index % size]
    if (item === undefined) return undefined
    const created = row(item)
    made.set(index, created)
    return created
  }
  return {
    count,
    at,
    indexOf: (id) => {
      for (const [page, items] of pages) {
        const found = items.findIndex((_, index) => at((page - 1) * size + index)?.id === id)
        if (found >= 0) return (page - 1) * size + found
      }
      return -1
    },
    loaded: pages.values().reduce((sum, items) => sum + items.length, 0)
  }
}

/** Adds rows above the rows of a list. */
export const withRowsAbove = (self: Rows, above: ReadonlyArray<Row>): Rows => {
  const { length } = above
  return {
    count: self.count + length,
    at: (index) => (index < length ? above[index] : self.at(index - length)),
    indexOf: (id) => {
      const found = self.indexOf(id)
      return found < 0 ? above.findIndex((row) => row.id === id) : found + length
    },
    loaded: self.loaded + length
  }
}

/**
 * Moves a row to the start of rows that are sorted by id, even if the page of the row is not loaded: rows before the
 * original place move by one.
 */
export const withFirst = (rows: Rows, first: Row): Rows => ({
  ...rows,
  at: (index) => {
    if (index === 0) return first
    const before = rows.at(index - 1)
    return before === undefined || before.id < first.id ? before : rows.at(index)
  },
  indexOf: (id) => {
    if (id === first.id) return 0
    const index = rows.indexOf(id)
    return index >= 0 && id < first.id ? index + 1 : index
  }
})

/** Creates a table. */
export const make = <A>(
  { columns, emptyMessage, hasHeader, noun }: TableDefinition<A>,
  rows: Rows,
  state: Partial<Pick<Table, "above" | "isCounted" | "isFullyLoaded" | "incompleteResults" | "widest" | "summary">> = {}
): Table => ({
  _tag: "Table",
  columns,
  noun,
  emptyMessage,
  hasHeader: hasHeader ?? false,
  rows,
  above: state.above ?? 0,
  isCounted: state.isCounted ?? true,
  isFullyLoaded: state.isFullyLoaded ?? true,
  incompleteResults: state.incompleteResults ?? false,
  widest: state.widest ?? columns.map(() => 0),
  summary: state.summary
})

/** Returns the widths of the columns on a screen. Measures the visible cells and the headers. */
export const columnWidths = (
  self: Table,
  visible: ReadonlyArray<ReadonlyArray<Line>>,
  columns: number
): ReadonlyArray<number> => {
  const measured = ColumnLayout.naturalWidths(self.columns, visible)
  for (const [index, { header }] of self.columns.entries()) {
    const width = measured[index] ?? 0
    const least = self.hasHeader === true && width > 0 ? header.length : 0
    self.widest[index] = Math.max(self.widest[index] ?? 0, width, least)
  }
  return ColumnLayout.columnWidths(self.columns, self.widest, columns)
}

/** A row that matches a filter, with its position in the table. */
export interface FilteredRow {
  readonly row: Row
  readonly index: number
}

const filterCache = new WeakMap<Rows, { readonly filter: string; readonly found: ReadonlyArray<FilteredRow> }>()

/** Returns the loaded rows that match the filter, best first. */
export const filter = (self: Table, filter: string, now: number): ReadonlyArray<FilteredRow> => {
  const cached = filterCache.get(self.rows)
  if (cached?.filter === filter) return cached.found
  const all: Array<FilteredRow> = []
  for (let index = 0; index < self.rows.count; index++) {
    const row = self.rows.at(index)
    if (row !== undefined) all.push({ row, index })
  }
  const found = FuzzyMatch.filterRuns(all, filter, ({ row }) => row.cells(now).map(StyledLine.text).join(" "))
  filterCache.set(self.rows, { filter, found })
  return found
}

/** Maximum number of rows of a table as a document. */
const MAX_DOCUMENT_ROWS = 200

/** Creates a document with the first loaded rows, for the pane beside another table. */
export const toDocument = (self: Table): Document.Document =>
  Document.make("", (columns) => {
    const rows = Array.from({ length: Math.min(self.rows.count, MAX_DOCUMENT_ROWS) }, (_, index) => self.rows.at(index))
    const loaded = rows.flatMap((row) => row ?? [])
    const natural = ColumnLayout.naturalWidths(
      self.columns,
      loaded.map((row) => row.cells(0))
    )
    const widths = ColumnLayout.columnWidths(self.columns, natural, columns)
    return Document.fromLines(
      loaded.map((row): Document.LineAtTime => (now) => ({
        line: ColumnLayout.joinCells(self.columns, widths, row.cells(now)),
        route: row.route,
        copy: row.copy,
        title: row.title
      }))
    )
  })
