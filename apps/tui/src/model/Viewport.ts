/** The visible part of the content: rows, layout and scroll position for the size of the screen. */
import type { RateLimitView } from "./RateLimitSummary.ts"
import type { Availability } from "../actions/Operations.ts"
import type { KeyBindings, Where } from "../actions/KeyBindings.ts"
import type { CodeFile } from "../content/CodeFile.ts"
import type { Content } from "../content/Content.ts"
import type { Document, DocumentLine, Layout } from "../content/Document.ts"
import type { Arguments } from "../content/Route.ts"
import type { LoadState } from "../content/Source.ts"
import * as Table from "../content/Table.ts"
import type { Row } from "../content/Table.ts"
import type { Identifier } from "@tongs/syntax/Identifier"
import * as Places from "../screens/Places.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as ListWindow from "./ListWindow.ts"
import * as State from "./State.ts"
import * as WrappedLines from "./WrappedLines.ts"

/** The inputs of the screen that do not come from the user. */
export interface ExternalState {
  readonly load: LoadState
  /** Loaded content of the pane beside the table: the screen of the selected row. */
  readonly pane: Content | undefined
  /** Current time in epoch milliseconds. */
  readonly now: number
  /** Name of the forge. */
  readonly label: string
  /** Warnings of the connection and of the settings. */
  readonly notices: ReadonlyArray<string>
  readonly limits: RateLimitView
  readonly keys: KeyBindings
  readonly isReadOnly: boolean
  /** Reasons for which the forge has refused operations, by the id of the operation. */
  readonly refusals: ReadonlyMap<string, NonNullable<Availability["refusal"]>>
}

/** Number of columns before each row for the marker of the selected row. */
export const MARKER_WIDTH = 2

/** Minimum width of the screen in columns for a pane beside the content. */
const PANE_COLUMNS = 110

/** Maximum number of rows to load automatically for a filter. */
export const FIRST_FILTER_ROWS = 1_000

/** Number of further rows to load for a filter each time that the user asks for all rows. */
export const MORE_FILTER_ROWS = 10_000

/** Returns the last loaded content, also during a refresh. */
export const contentOf = (external: ExternalState): Content | undefined => external.load.content

/** Returns the tabs around the visible screen. */
export const tabBar = (state: State.State): Places.TabBar | undefined => Places.tabBar(State.route(state))

/** Number of rows above the body: the header, the tabs if there are any, and a rule. */
export const headRows = (state: State.State): number => (tabBar(state) === undefined ? 2 : 3)

/** Number of rows below the body: status and key hints. */
const FOOT_ROWS = 2

/** Returns the number of rows for the content, including the headers of a table. */
export const bodyRows = (state: State.State): number => Math.max(1, state.rows - headRows(state) - FOOT_ROWS)

/** Returns the number of rows for the items of the content. */
export const itemRows = (state: State.State, content: Content | undefined): number =>
  Math.max(1, bodyRows(state) - (content?._tag === "Table" && content.hasHeader === true ? 1 : 0))

/** The pane beside the content, and the columns that each side has. */
export interface Split {
  /** The side of the pane: details of a row are on the right, the sections of a document on the left. */
  readonly side: "left" | "right" | undefined
  /** Width of the content in columns. */
  readonly mainColumns: number
  /** Width of the pane in columns, without the rule between pane and content. */
  readonly paneColumns: number
}

/** Returns the split of the body. */
export const split = (state: State.State, content: Content | undefined): Split => {
  const whole: Split = { side: undefined, mainColumns: state.columns, paneColumns: 0 }
  if (!state.isPaneShown || state.columns < PANE_COLUMNS || content === undefined) return whole
  if (content._tag === "Table") {
    const hasPreview = content.rows.at(0)?.preview !== undefined || content.rows.at(0)?.route !== undefined
    if (!hasPreview) return whole
    const mainColumns = Math.floor(state.columns * state.split)
    return { side: "right", mainColumns, paneColumns: state.columns - mainColumns - 1 }
  }
  if (content._tag === "Document") {
    const paneColumns = Math.floor(state.columns * (1 - state.split) * 0.75)
    const mainColumns = state.columns - paneColumns - 1
    const hasMargin = state.isMarginShown === true && content.marginColumns !== undefined
    if (hasMargin && mainColumns < MARGIN_COLUMNS) return whole
    if (content.layout(contentColumns(mainColumns)).sections.length < 2) return whole
    return { side: "left", mainColumns, paneColumns }
  }
  return whole
}

/** Minimum width of a document in columns to show its margins by default, and to show margins and a pane. */
const MARGIN_COLUMNS = 98

/** Maximum share of the width of a document that the margin has. */
const MARGIN_SHARE = 0.4

/** Returns the width of the margin in a document of `columns` columns; 0 without a visible margin. */
export const marginColumns = (state: State.State, document: Document, columns: number): number => {
  const isShown = state.isMarginShown ?? (document.showsMargin === true || columns >= MARGIN_COLUMNS)
  return isShown ? Math.min(document.marginColumns ?? 0, Math.floor(columns * MARGIN_SHARE)) : 0
}

/** Returns the columns for the text of content that has this width on the screen. */
export const contentColumns = (columns: number): number => Math.max(1, columns - MARKER_WIDTH)

/** Returns the columns for the text of a document's line, without margin and gutter. */
export const textColumns = (state: State.State, external: ExternalState, document: Document, index: number): number => {
  const { mainColumns } = split(state, document)
  const { gutter = [] } = layoutOf(state, document).lineAt(index, external.now)
  const margin = marginColumns(state, document, mainColumns)
  return Math.max(1, contentColumns(mainColumns) - (margin === 0 ? 0 : margin + RULE_WIDTH) - StyledLine.width(gutter))
}

/** Width of the rule after a margin, with the space before it. */
const RULE_WIDTH = 2

/** Returns the layout of a document for the width of the screen. */
export const layoutOf = (state: State.State, document: Document): Layout =>
  document.layout(contentColumns(split(state, document).mainColumns))

/** The rows of a table on the screen: all rows, or the rows that match the filter. */
export interface VisibleRows {
  readonly count: number
  readonly at: (index: number) => Row | undefined
  readonly indexOf: (id: string) => number
}

/** Returns the rows of a table that match the filter. */
export const visibleRows = (state: State.State, external: ExternalState, table: Table.Table): VisibleRows => {
  const { filter } = State.position(state)
  if (filter === "") return table.rows
  const found = Table.filter(table, filter, external.now)
  return {
    count: found.length,
    at: (index) => found[index]?.row,
    indexOf: (id) => found.findIndex(({ row }) => row.id === id)
  }
}

/** Returns whether the filter of the screen leaves out rows that are not loaded. */
export const isFilterPartial = (state: State.State, table: Table.Table): boolean =>
  State.position(state).filter !== "" && !table.isFullyLoaded

/** Returns the cursor and scroll position. The cursor follows the selected row if the list has changed. */
export const windowOf = (state: State.State, external: ExternalState): ListWindow.ListWindow => {
  const content = contentOf(external)
  const position = State.position(state)
  const height = itemRows(state, content)
  switch (content?._tag) {
    case "Table": {
      const rows = visibleRows(state, external, content)
      // The rows above the items arrive after them, and must not take the cursor from the first item.
      const isFirst = State.savedPosition(state) === undefined
      const at = isFirst ? { cursor: content.above, top: 0 } : followed(position, rows, content.above)
      return ListWindow.clamp(at, rows.count, height)
    }
    case "Document": {
      const layout = layoutOf(state, content)
      const saved = State.savedPosition(state)
      const at = saved ?? { cursor: layout.initialLine, top: Math.max(0, layout.initialLine - LINES_ABOVE) }
      const window = ListWindow.clamp(followedLine(at, saved?.selectedId, layout), layout.length, height)
      return state.isWrapped ? WrappedLines.windowOf(window, pageOf(state, external, content)) : window
    }
    default:
      return ListWindow.start
  }
}

const pageOf = (state: State.State, external: ExternalState, document: Document): WrappedLines.Page => ({
  layout: layoutOf(state, document),
  columns: contentColumns(split(state, document).mainColumns),
  height: bodyRows(state),
  now: external.now
})

/** Returns the indexes of the items in the rows of the screen: several rows for a line that wraps. */
export const itemsByRow = (state: State.State, external: ExternalState): ReadonlyArray<number> => {
  const content = contentOf(external)
  const { top } = windowOf(state, external)
  if (state.isWrapped && content?._tag === "Document")
    return WrappedLines.linesByRow(top, pageOf(state, external, content))
  return Array.from({ length: itemRows(state, content) }, (_, index) => top + index)
}

/** Number of lines that stay visible above the first position. */
const LINES_ABOVE = 3

const followed = (position: State.Position, rows: VisibleRows, above: number): ListWindow.ListWindow => {
  const { cursor, selectedId, top } = position
  if (selectedId === undefined || rows.at(cursor)?.id === selectedId) return { cursor, top }
  const found = rows.indexOf(selectedId)
  if (found < 0) return { cursor, top }
  return { cursor: found, top: above > 0 && top === 0 ? 0 : Math.max(0, top + found - cursor) }
}

/** Moves the cursor with the selected line, if lines above have changed. */
const followedLine = (
  { cursor, top }: ListWindow.ListWindow,
  selectedId: string | undefined,
  { ids }: Layout
): ListWindow.ListWindow => {
  if (selectedId === undefined || ids === undefined || ids[cursor] === selectedId) return { cursor, top }
  const found = ids.indexOf(selectedId)
  return found < 0 ? { cursor, top } : { cursor: found, top: Math.max(0, top + found - cursor) }
}

/** Returns the row under the cursor of a table. */
export const selectedRow = (state: State.State, external: ExternalState): Row | undefined => {
  const content = contentOf(external)
  if (content?._tag !== "Table") return undefined
  return visibleRows(state, external, content).at(windowOf(state, external).cursor)
}

/** Returns the line under the cursor of a document. */
export const selectedLine = (state: State.State, external: ExternalState): DocumentLine | undefined => {
  const content = contentOf(external)
  if (content?._tag !== "Document") return undefined
  return layoutOf(state, content).lineAt(windowOf(state, external).cursor, external.now)
}

/** Returns the arguments that the resource of a document gives to operations. */
export const documentArguments = (external: ExternalState): Arguments | undefined => {
  const content = contentOf(external)
  return content?._tag === "Document" ? content.arguments : undefined
}

/** Returns the file on the screen; undefined on other screens. */
export const codeOf = (external: ExternalState): CodeFile | undefined => {
  const content = contentOf(external)
  return content?._tag === "Document" ? content.code : undefined
}

/** Returns the selected name in the line of the cursor; undefined in a line that is no code or has no names. */
export const selectedName = (state: State.State, external: ExternalState): Identifier | undefined => {
  const line = selectedLine(state, external)?.names
  const names = line?.names() ?? []
  const column = State.position(state).column ?? line?.initialColumn ?? 0
  return names.findLast(({ start }) => start <= column) ?? names[0]
}

/** Returns the kind of the visible screen: a text file, also while the file loads, or the changes to files. */
export const where = (state: State.State, external: ExternalState): Where | undefined => {
  const content = contentOf(external)
  if (content === undefined) return Places.showsContent(State.route(state)) ? "file" : undefined
  if (content._tag !== "Document") return undefined
  if (content.code !== undefined) return "file"
  return content.isDiff === true ? "diff" : undefined
}

/** Documents of the tables in the pane. */
const documents = new WeakMap<Table.Table, Document>()

const documentOf = (table: Table.Table): Document => {
  const known = documents.get(table) ?? Table.toDocument(table)
  documents.set(table, known)
  return known
}

/** Returns the document of the pane: the loaded screen of the selected row, or the row's preview. */
export const paneDocument = (state: State.State, external: ExternalState): Document | undefined => {
  if (external.pane?._tag === "Document") return external.pane
  const preview = selectedRow(state, external)?.preview?.()
  if (preview !== undefined || external.pane?._tag !== "Table") return preview
  return documentOf(external.pane)
}

/** Returns the cursor and scroll position of the pane. At first, the document's initial line is in view. */
export const paneWindow = (state: State.State, layout: Layout, height: number): ListWindow.ListWindow => {
  const { pane } = State.position(state)
  const { initialLine } = layout
  const top = Math.max(0, initialLine - Math.floor(height / 3))
  return ListWindow.clamp(pane === ListWindow.start ? { cursor: initialLine, top } : pane, layout.length, height)
}
