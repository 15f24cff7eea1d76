/** Computes the lines of the screen from the state and the content. `views` only adds colors. */
import type * as Cause from "effect/Cause"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Message } from "../content/Message.ts"
import * as Document from "../content/Document.ts"
import * as Table from "../content/Table.ts"
import * as Registry from "../screens/Registry.ts"
import * as ColumnLayout from "../text/ColumnLayout.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Role } from "../text/StyledLine.ts"
import type { Announcement } from "./Announcement.ts"
import * as Boxes from "./Boxes.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as FindInText from "./FindInText.ts"
import * as Frame from "./Frame.ts"
import * as ListWindow from "./ListWindow.ts"
import * as ScreenAnnouncement from "./ScreenAnnouncement.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** The parts of the screen that react to the mouse. Rows and columns count from 0. */
export interface MouseAreas {
  readonly clicks: ReadonlyArray<Frame.ClickArea & { readonly row: number }>
  /** The first row of the items. */
  readonly itemsTop: number
  readonly itemRows: number
  readonly mainFrom: number
  readonly mainTo: number
  /** The choices of the palette: the first row, the columns, and the index of the first visible choice. */
  readonly choices:
    | {
        readonly row: number
        readonly from: number
        readonly to: number
        readonly first: number
        readonly count: number
      }
    | undefined
}

/** The content of the complete screen. */
export interface View {
  readonly columns: number
  readonly rows: number
  /** Exactly `rows` lines of exactly `columns` columns, without the window over them. */
  readonly lines: ReadonlyArray<Line>
  /** The window over the content, if one is open. `top` counts from the first row of the screen. */
  readonly window: Boxes.PlacedBox | undefined
  /** True while nothing but a message about loading is visible. */
  readonly isLoading: boolean
  /** The cause if loading died, which is a bug: the program ends with it. */
  readonly defect: Cause.Cause<unknown> | undefined
  readonly mouse: MouseAreas
  /** Describes the screen for screen readers. */
  readonly announcement: () => Announcement
}

/** Minimum size of the terminal. */
const MIN_SIZE = { columns: 40, rows: 10 }

/** Computes the screen. */
export const make = (state: State.State, external: ExternalState): View => {
  const { columns, rows } = state
  const isTooSmall = columns < MIN_SIZE.columns || rows < MIN_SIZE.rows
  const body = isTooSmall ? tooSmall(state) : bodyOf(state, external)
  const header = Frame.header(state, external)
  const tabs = Frame.tabs(state)
  const rule = Frame.rule(state)
  const head = [header, ...(tabs === undefined ? [] : [tabs]), rule]
  const height = Viewport.bodyRows(state)
  const suggestions = Frame.suggestions(state)
  const shown = suggestions === undefined ? body.lines : [...fill(body.lines, columns, height - 1), suggestions]
  const filled = fill(shown, columns, height)
  const { overlay } = state
  const box = overlay === undefined ? undefined : Boxes.make(state, external, overlay, Math.max(1, height - 2))
  const lines = [
    ...head.map(({ line }) => StyledLine.fit(line, columns)),
    ...filled,
    Frame.status(state, external, body.position),
    Frame.hints(state, external)
  ]
  const content = Viewport.contentOf(external)
  const { mainColumns, paneColumns, side } = Viewport.split(state, content)
  const mainFrom = side === "left" ? paneColumns + 1 : 0
  return {
    columns,
    rows,
    lines: fill(isTooSmall ? body.lines : lines, columns, rows),
    window: windowOf(box, head.length, height, columns),
    isLoading: body.isLoading,
    defect: external.load.defect,
    mouse: {
      clicks: head.flatMap(({ areas }, row) => areas.map((area) => ({ ...area, row }))),
      itemsTop: head.length + height - Viewport.itemRows(state, content),
      itemRows: Viewport.itemRows(state, content),
      mainFrom,
      mainTo: mainFrom + mainColumns,
      choices: box?.choices === undefined ? undefined : choicesOf(box, box.choices, head.length, height, columns)
    },
    announcement: () => ScreenAnnouncement.make(state, external, body.position)
  }
}

/** Returns the window with its place on the screen. */
const windowOf = (box: Boxes.Box | undefined, above: number, height: number, columns: number) => {
  if (box === undefined) return undefined
  const framed = Boxes.framed(height, box, columns)
  return { ...framed, top: above + framed.top }
}

/** Returns the position of a window's choices on the screen. */
const choicesOf = (
  box: Boxes.Box,
  { count, first, line }: Boxes.Choices,
  above: number,
  height: number,
  columns: number
): MouseAreas["choices"] => {
  const { left, top, width } = Boxes.place(height, box, columns)
  return { row: above + top + 1 + line, from: left, to: left + width, first, count }
}

/** Makes exactly `rows` lines of exactly `columns` columns. */
const fill = (lines: ReadonlyArray<Line>, columns: number, rows: number): ReadonlyArray<Line> =>
  Array.from({ length: rows }, (_, index) => StyledLine.fit(lines[index] ?? StyledLine.empty, columns))

interface Body {
  readonly lines: ReadonlyArray<Line>
  /** The position in the content, for example `12/300+ commits`. */
  readonly position: string
  readonly isLoading: boolean
}

const settled = { isLoading: false }

/** The message for a small terminal has the whole screen, because its few rows may not fit anything else. */
const tooSmall = ({ columns }: State.State): Body => {
  const text = `Terminal too small. At least ${MIN_SIZE.columns} by ${MIN_SIZE.rows} are needed`
  const lines = StyledLine.wrap(text, Math.max(1, columns)).map((part) => StyledLine.line(part, "warning"))
  return { ...settled, lines, position: "" }
}

const bodyOf = (state: State.State, external: ExternalState): Body => {
  const content = Viewport.contentOf(external)
  if (content === undefined) return withoutContent(state, external)
  switch (content._tag) {
    case "Notice":
      return message(state, "strong", content)
    case "Table":
      return tableBody(state, external, content)
    case "Document":
      return documentBody(state, external, content)
  }
}

const withoutContent = (state: State.State, external: ExternalState): Body => {
  const { failure } = external.load
  if (failure !== undefined) {
    const { hint, title } = FailureMessage.of(failure)
    return message(state, "error", { title, hint: `${hint}. ${Frame.problem(external) ?? ""}`.replace("..", ".") })
  }
  const subject = Registry.find(State.route(state).screen)?.title(State.route(state).arguments) ?? "the screen"
  const preview = external.pane
  const loading: Line = [
    StyledLine.span("  Loading "),
    StyledLine.span(subject),
    StyledLine.spinner,
    ...Frame.slowness(external)
  ]
  if (preview?._tag !== "Document") return { ...settled, lines: [loading], position: "", isLoading: true }
  // Shows the preview of the selected row of the previous screen.
  const layout = preview.layout(Viewport.contentColumns(state.columns))
  const known = Array.from({ length: Math.min(layout.length, Viewport.bodyRows(state)) }, (_, index) => [
    indent,
    ...layout.lineAt(index, external.now).line
  ])
  return { ...settled, lines: known, position: "", isLoading: true }
}

/** Maximum width of a hint in columns, for readability. */
const MAX_HINT_WIDTH = 76

/** Creates a centered message with the next step, in place of content. */
const message = (state: State.State, role: Role, { hint, title }: Message): Body => {
  const height = Viewport.bodyRows(state)
  const { columns } = state
  const titles = StyledLine.wrap(title, Math.max(1, columns - 4)).map((text) => StyledLine.line(text, role))
  const hints = StyledLine.wrap(hint, Math.max(1, Math.min(columns - 4, MAX_HINT_WIDTH))).map((text) =>
    StyledLine.line(text, "muted")
  )
  const lines = [...titles, StyledLine.empty, ...hints].slice(0, height)
  const top = Math.max(0, Math.floor((height - lines.length) / 2))
  const centered = lines.map((line) => [
    StyledLine.span(" ".repeat(Math.max(0, Math.floor((columns - StyledLine.width(line)) / 2)))),
    ...line
  ])
  return {
    ...settled,
    lines: [...Array.from({ length: top }, () => StyledLine.empty), ...centered],
    position: ""
  }
}

const indent = StyledLine.span(" ".repeat(Viewport.MARKER_WIDTH))

/** Creates the line of an item: its marker and its text, with the background of the selection or mark, or its own. */
const itemLine = (
  line: Line,
  columns: number,
  isSelected: boolean,
  isMarked: boolean,
  background?: StyledLine.Background
): Line => {
  const marker = StyledLine.span(isSelected ? (isMarked ? "❯●" : "❯ ") : isMarked ? " ●" : "  ", "accent")
  const shown = StyledLine.fit([marker, ...line], columns)
  if (isSelected) return StyledLine.withBackground(shown, "selected")
  if (isMarked) return StyledLine.withBackground(shown, "marked")
  if (background === undefined) return shown
  const [first = marker, ...rest] = shown
  return [first, ...StyledLine.withBackground(rest, background)]
}

const tableBody = (state: State.State, external: ExternalState, table: Table.Table): Body => {
  const { filter, left, marked } = State.position(state)
  const rows = Viewport.visibleRows(state, external, table)
  if (table.rows.count === 0) return message(state, "strong", table.incompleteResults ? incomplete : table.emptyMessage)
  const loaded = `${NumberFormat.format(table.rows.loaded)}${table.isFullyLoaded ? "" : "+"}`
  if (rows.count === 0) {
    const hint = `None of ${loaded} ${table.noun[1]} match. Esc clears the filter`
    return message(state, "strong", { title: `No matches for ${filter}`, hint })
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
    return itemLine(text, mainColumns, isSelected, id !== undefined && marked.has(id))
  })
  const headers = ColumnLayout.joinCells(
    table.columns,
    widths,
    table.columns.map(({ header }) => StyledLine.line(header, "muted"))
  )
  const main = table.hasHeader === true ? [[indent, ...StyledLine.dropColumns(headers, left)], ...lines] : lines
  return {
    ...settled,
    lines:
      side === undefined
        ? main
        : beside(Viewport.bodyRows(state), main, mainColumns, paneLines(state, external, paneColumns), paneColumns),
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
  const total = table.isCounted ? NumberFormat.format(table.rows.count) : `${NumberFormat.format(table.rows.count)}+`
  const all = filter === "" ? total : `${NumberFormat.format(count)} of ${loaded}`
  if (table.summary !== undefined) return `${NumberFormat.format(cursor + 1)}/${all}  ${table.summary}`
  const noun = table.rows.count === 1 && table.isCounted ? table.noun[0] : table.noun[1]
  return `${NumberFormat.format(cursor + 1)}/${all} ${noun}${table.incompleteResults ? ", and maybe more" : ""}`
}

/** The message for a search that stopped before it found a match. */
const incomplete: Message = {
  title: "No results yet",
  hint: "The search stopped early, perhaps because the index is not ready. Press r to try again"
}

/** Joins two sides of the body with a rule between them. */
const beside = (
  rows: number,
  left: ReadonlyArray<Line>,
  leftColumns: number,
  right: ReadonlyArray<Line>,
  rightColumns: number
): ReadonlyArray<Line> =>
  Array.from({ length: rows }, (_, index) => [
    ...StyledLine.fit(left[index] ?? StyledLine.empty, leftColumns),
    rule,
    ...StyledLine.fit(right[index] ?? StyledLine.empty, rightColumns)
  ])

const rule = StyledLine.span("│", "muted")

/** Creates the lines of the details beside a table. */
const paneLines = (state: State.State, external: ExternalState, columns: number): ReadonlyArray<Line> => {
  const document = Viewport.paneDocument(state, external)
  if (document === undefined) return Array.from({ length: Viewport.bodyRows(state) }, () => StyledLine.empty)
  const layout = document.layout(Viewport.contentColumns(columns))
  const height = Viewport.bodyRows(state)
  const { cursor, top } = Viewport.paneWindow(state, layout, height)
  return Array.from({ length: height }, (_, index) => {
    if (top + index >= layout.length) return StyledLine.empty
    const { background, gutter = [], line } = layout.lineAt(top + index, external.now)
    const isSelected = state.isPaneFocused && top + index === cursor
    const isStart = top + index === layout.initialLine && layout.initialLine > 0
    return itemLine([...gutter, ...line], columns, isSelected, isStart, background)
  })
}

const documentBody = (state: State.State, external: ExternalState, document: Document.Document): Body => {
  const height = Viewport.bodyRows(state)
  const layout = Viewport.layoutOf(state, document)
  const window = Viewport.windowOf(state, external)
  const { mainColumns, paneColumns, side } = Viewport.split(state, document)
  const { findText, left } = State.position(state)
  const lines = Array.from({ length: Math.min(height, Math.max(0, layout.length - window.top)) }, (_, index) => {
    const { background, gutter = [], line } = layout.lineAt(window.top + index, external.now)
    const text = StyledLine.dropColumns(findText === "" ? line : FindInText.highlight(line, findText), left)
    const isSelected = window.top + index === window.cursor && !state.isPaneFocused
    return itemLine([...gutter, ...text], mainColumns, isSelected, false, background)
  })
  return {
    ...settled,
    lines:
      side === undefined
        ? lines
        : beside(height, sectionLines(state, layout, window.cursor, paneColumns), paneColumns, lines, mainColumns),
    position: documentPosition(state.columns, layout, window.cursor)
  }
}

/** Returns the line and the section of the cursor. A long title loses its start, so that its number is visible. */
const documentPosition = (columns: number, layout: Document.Layout, cursor: number): string => {
  const lines = `${NumberFormat.format(Math.min(layout.length, cursor + 1))}/${NumberFormat.quantity(layout.length, "line")}`
  const section = Document.sectionAt(layout, cursor)
  if (section === undefined) return lines
  const number = ` (${layout.sections.indexOf(section) + 1}/${layout.sections.length})`
  const title = [StyledLine.span(section.title)]
  // One space before the line, two before the title.
  const room = Math.max(0, columns - lines.length - number.length - 3)
  return `${lines}  ${StyledLine.text(StyledLine.fitFromEnd(title, Math.min(room, StyledLine.width(title))))}${number}`
}

/** Creates the list of a document's sections. The section of the cursor is selected. */
const sectionLines = (
  state: State.State,
  layout: Document.Layout,
  cursor: number,
  columns: number
): ReadonlyArray<Line> => {
  const section = Document.sectionAt(layout, cursor)
  const current = section === undefined ? -1 : layout.sections.indexOf(section)
  const height = Viewport.bodyRows(state)
  const { top } = ListWindow.clamp(
    { cursor: Math.max(0, current), top: Math.max(0, current - Math.floor(height / 2)) },
    layout.sections.length,
    height
  )
  return layout.sections
    .slice(top, top + height)
    .map(({ label, labelAt }, index) =>
      itemLine(labelAt?.(Viewport.contentColumns(columns)) ?? label, columns, top + index === current, false)
    )
}
