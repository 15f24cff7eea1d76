/** The lines of a table, beside the details of the selected row. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
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
  const loaded = `${NumberFormat.format(table.rows.loaded)}${table.isFullyLoaded ? "" : "+"}`
  if (rows.count === 0) {
    const hint = `None of ${loaded} ${table.noun[1]} match. Press Esc to clear the filter`
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
    position: tablePosition(state, table, rows.count, window.cursor, loaded)
  }
}

const notLoaded: Line = [{ text: "·", role: "muted" }]

const tablePosition = (
  state: State.State,
  table: Table.Table,
  count: number,
  cursor: number,
  loaded: string
): string => {
  const { filter } = State.position(state)
  const items = table.rows.count - table.above
  const total = table.isCounted ? NumberFormat.format(items) : `${NumberFormat.format(items)}+`
  const all = filter === "" ? total : `${NumberFormat.format(count)} of ${loaded}`
  if (table.summary !== undefined) return `${NumberFormat.format(cursor + 1)}/${all}  ${table.summary}`
  const noun = items === 1 && table.isCounted ? table.noun[0] : table.noun[1]
  if (filter === "" && cursor < table.above) return `${total} ${noun}`
  const number = filter === "" ? cursor + 1 - table.above : cursor + 1
  return `${NumberFormat.format(number)}/${all} ${noun}${table.incompleteResults ? ", and maybe more" : ""}`
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
