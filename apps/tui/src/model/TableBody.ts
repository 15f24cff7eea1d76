/** The lines of a table, beside the details of the selected row. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as KeyBindings from "../actions/KeyBindings.ts"
import type { Message } from "../content/Message.ts"
import * as Table from "../content/Table.ts"
import * as ColumnLayout from "../text/ColumnLayout.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import * as Body from "./Body.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import * as WrappedLines from "./WrappedLines.ts"
import type { ExternalState } from "./Viewport.ts"

export const make = (state: State.State, external: ExternalState, table: Table.Table): Body.Body => {
  const { filter, left, marked } = State.position(state)
  const rows = Viewport.visibleRows(state, external, table)
  if (table.rows.count === 0)
    return Body.message(state, "strong", table.incompleteResults ? incomplete : table.emptyMessage)
  if (rows.count === 0) {
    const key = Viewport.isFilterPartial(state, table) ? filterAllKey(state, external) : undefined
    const all = key === undefined ? "" : `${key} searches all. `
    const hint = `None of ${searched(table)} ${table.rows.count === 1 ? "matches" : "match"}. ${all}Esc clears the filter`
    return Body.message(state, "strong", { title: `No matches for ${filter}`, hint })
  }
  const height = Viewport.itemRows(state, table)
  const window = Viewport.windowOf(state, external)
  const { mainColumns, paneColumns, side } = Viewport.split(state, table)
  const shown = Array.from({ length: Math.min(height, rows.count - window.top) }, (_, index) =>
    rows.at(window.top + index)
  )
  const cells = shown.map((row) => row?.cells(external.now))
  const widths = Table.columnWidths(
    table,
    cells.flatMap((row) => (row === undefined ? [] : [row])),
    Viewport.contentColumns(mainColumns) - 1
  )
  const lines = cells.map((row, index) => {
    const joined = row === undefined ? notLoaded : ColumnLayout.joinCells(table.columns, widths, row)
    const id = shown[index]?.id
    const isSelected = window.top + index === window.cursor
    const text = StyledLine.dropColumns(joined, left)
    return Body.itemLine(text, mainColumns, isSelected, id !== undefined && marked.has(id))
  })
  const headers = ColumnLayout.joinCells(
    table.columns,
    widths,
    table.columns.map(({ header }) => StyledLine.line(header, "muted"))
  )
  const main = table.hasHeader === true ? [[Body.indent, ...StyledLine.dropColumns(headers, left)], ...lines] : lines
  return {
    lines:
      side === undefined
        ? main
        : Body.beside(
            Viewport.bodyRows(state),
            main,
            mainColumns,
            paneLines(state, external, paneColumns),
            paneColumns
          ),
    position: tablePosition(state, table, rows.count, window.cursor)
  }
}

const notLoaded: Line = [{ text: "·", role: "muted" }]

const tablePosition = (state: State.State, table: Table.Table, count: number, cursor: number): string => {
  const { filter } = State.position(state)
  const more = table.incompleteResults ? ", and maybe more" : ""
  if (filter !== "")
    return `${NumberFormat.format(cursor + 1)}/${NumberFormat.format(count)} in ${searched(table)}${more}`
  const at = NumberFormat.format(cursor + 1 - table.above)
  if (table.summary !== undefined) return `${at}/${totalOf(table)}  ${table.summary}`
  if (cursor < table.above) return `${totalOf(table)} ${nounOf(table)}`
  return `${at}/${totalOf(table)} ${nounOf(table)}${more}`
}

/** Number of items, without the rows above the list. */
const itemsOf = ({ above, rows }: Table.Table): number => rows.count - above

const totalOf = (table: Table.Table): string => `${NumberFormat.format(itemsOf(table))}${table.isCounted ? "" : "+"}`

const nounOf = (table: Table.Table): string => (itemsOf(table) === 1 && table.isCounted ? table.noun[0] : table.noun[1])

/** Names the rows that a filter searches, for example `the first 1,000 of 100,000 commits`. */
const searched = (table: Table.Table): string => {
  const { above, isFullyLoaded, rows } = table
  if (isFullyLoaded) return `${totalOf(table)} ${nounOf(table)}`
  const isStart = rows.at(rows.loaded - 1) !== undefined
  const loaded = NumberFormat.format(rows.loaded - above)
  return `${isStart ? "the first " : ""}${loaded} of ${totalOf(table)} ${nounOf(table)}`
}

/** Returns the key that searches all rows: Tab while the user types the filter. */
const filterAllKey = ({ prompt }: State.State, { keys }: ExternalState): string | undefined => {
  const key = prompt === undefined ? keys.keyOf("filterAll") : "tab"
  return key === undefined ? undefined : KeyBindings.label(key)
}

/** The message for a search that stopped before the first match. */
const incomplete: Message = {
  title: "No results yet",
  hint: "The search stopped early, perhaps because the index is not ready. Press r to try again"
}

/** Creates the lines of the details beside a table. */
const paneLines = (state: State.State, external: ExternalState, columns: number): ReadonlyArray<Line> => {
  const document = Viewport.paneDocument(state, external)
  if (document === undefined) return Array.from({ length: Viewport.bodyRows(state) }, () => StyledLine.empty)
  const layout = document.layout(Viewport.contentColumns(columns))
  const height = Viewport.bodyRows(state)
  // A pane has no room for long lines and does not scroll sideways, so lines always wrap.
  const page = { layout, columns: Viewport.contentColumns(columns), height, now: external.now }
  const { cursor, top } = WrappedLines.windowOf(Viewport.paneWindow(state, layout, height), page)
  const lines: Array<Line> = []
  for (let index = top; index < layout.length && lines.length < height; index++) {
    const isSelected = state.isPaneFocused && index === cursor
    const isStart = index === layout.initialLine && layout.initialLine > 0
    lines.push(
      ...Body.documentRows(layout.lineAt(index, external.now), columns, height - lines.length, isSelected, isStart)
    )
  }
  return lines
}
