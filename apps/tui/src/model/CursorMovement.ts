/** Moves the cursor and scrolls. Every function is pure and returns the next state. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { CommandId } from "../actions/KeyBindings.ts"
import type { Layout } from "../content/Document.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as FindInText from "./FindInText.ts"
import * as ListWindow from "./ListWindow.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** Number of columns per horizontal scroll. */
const SIDEWAYS_STEP = 8

/** Number of lines that stay visible above a match. */
const LINES_ABOVE_MATCH = 3

/** Moves by a command: the cursor of the content, or of the pane if the pane has the focus. */
export const move = (state: State.State, external: ExternalState, command: CommandId): State.State => {
  const content = Viewport.contentOf(external)
  if (content === undefined || content._tag === "Notice") return state
  const position = State.position(state)
  const height = Viewport.itemRows(state, content)
  if (command === "left" || command === "right")
    return nextName(state, external, command) ?? sideways(state, external, command)
  if (state.isPaneFocused) return movePane(state, external, command)
  if (content._tag === "Document") {
    const layout = Viewport.layoutOf(state, content)
    const window = Viewport.windowOf(state, external)
    const target = sectionStart(layout, window.cursor, command)
    // A page has fewer lines than rows if lines wrap.
    const page = state.isWrapped ? new Set(Viewport.itemsByRow(state, external)).size : height
    const step = target === undefined ? steps(command, page, layout.length) : target - window.cursor
    const moved = ListWindow.move(window, step, layout.length, height)
    // A section starts at the top of the screen.
    const top = target === undefined ? moved.top : Math.max(0, Math.min(target, layout.length - height))
    return State.withPosition(state, { ...position, ...moved, top, selectedId: layout.ids?.[moved.cursor] })
  }
  const rows = Viewport.visibleRows(state, external, content)
  const window = ListWindow.move(
    Viewport.windowOf(state, external),
    steps(command, height, rows.count),
    rows.count,
    height
  )
  return State.withPosition(state, {
    ...position,
    ...window,
    selectedId: rows.at(window.cursor)?.id,
    pane: ListWindow.start
  })
}

/** Moves the cursor to a position of the visible rows or lines. */
export const moveTo = (state: State.State, external: ExternalState, index: number): State.State => {
  const content = Viewport.contentOf(external)
  if (content === undefined || content._tag === "Notice") return state
  const height = Viewport.itemRows(state, content)
  const position = State.position(state)
  if (content._tag === "Document") {
    const { ids, length } = Viewport.layoutOf(state, content)
    const { top } = Viewport.windowOf(state, external)
    const window = ListWindow.clamp({ cursor: index, top }, length, height)
    return State.withPosition(state, { ...position, ...window, selectedId: ids?.[window.cursor] })
  }
  const rows = Viewport.visibleRows(state, external, content)
  const { top } = Viewport.windowOf(state, external)
  const window = ListWindow.clamp({ cursor: index, top }, rows.count, height)
  return State.withPosition(state, {
    ...position,
    ...window,
    selectedId: rows.at(window.cursor)?.id,
    pane: ListWindow.start
  })
}

const movePane = (state: State.State, external: ExternalState, command: CommandId): State.State => {
  const content = Viewport.contentOf(external)
  const position = State.position(state)
  const height = Viewport.bodyRows(state)
  if (content?._tag === "Document") {
    // The cursor of the list of sections moves from section to section.
    const layout = Viewport.layoutOf(state, content)
    const starts = layout.sections.map(({ firstLine }) => firstLine)
    const current = layout.sections.findLastIndex(({ firstLine }) => firstLine <= position.cursor)
    const next = Math.max(0, Math.min(starts.length - 1, current + steps(command, height, starts.length)))
    const cursor = starts[next] ?? 0
    return State.withPosition(state, {
      ...position,
      ...ListWindow.clamp({ cursor, top: cursor }, layout.length, height),
      selectedId: layout.ids?.[cursor]
    })
  }
  const document = Viewport.paneDocument(state, external)
  if (document === undefined) return state
  const { paneColumns } = Viewport.split(state, content)
  const layout = document.layout(Viewport.contentColumns(paneColumns))
  const { length } = layout
  const window = Viewport.paneWindow(state, layout, height)
  const pane = ListWindow.move(window, steps(command, height, length), length, height)
  return State.withPosition(state, { ...position, pane })
}

/** Scrolls to the next or previous line of a document that contains the text, wrapping around. */
export const findNext = (state: State.State, external: ExternalState, text: string, direction: 1 | -1): State.State => {
  const content = Viewport.contentOf(external)
  if (content?._tag !== "Document") return state
  const layout = Viewport.layoutOf(state, content)
  const height = Viewport.bodyRows(state)
  const window = Viewport.windowOf(state, external)
  const position = { ...State.position(state), ...window, findText: text }
  const matches = FindInText.matchingLines(layout, text)
  const isNew = State.position(state).findText !== text
  const from = isNew && direction === 1 ? window.cursor - 1 : window.cursor
  const found = FindInText.nextMatch(matches, from, direction)
  if (found === undefined)
    return {
      ...State.withPosition(state, { ...position, findText: "" }),
      message: { text: `No matches for ${text}`, isError: false }
    }
  const isVisible = found >= window.top && found < window.top + height
  const top = isVisible ? window.top : Math.max(0, found - LINES_ABOVE_MATCH)
  const { line } = layout.lineAt(found, external.now)
  const column = FindInText.matchColumn(line, text)
  const { mainColumns } = Viewport.split(state, content)
  const left =
    state.isWrapped || column + text.length < Viewport.contentColumns(mainColumns)
      ? 0
      : Math.max(0, column - Math.floor(mainColumns / 2))
  return {
    ...State.withPosition(state, {
      ...position,
      left,
      ...ListWindow.clamp({ cursor: found, top }, layout.length, height),
      selectedId: layout.ids?.[found]
    }),
    message: {
      text: `${NumberFormat.format(matches.indexOf(found) + 1)} of ${NumberFormat.quantity(matches.length, "line")} with ${StyledLine.span(text).text}`,
      isError: false
    }
  }
}

/** Columns beside a name that scrolling makes visible. */
const NAME_MARGIN = 8

/** Selects the next name of a line of code, and scrolls to the name; undefined without a further name. */
const nextName = (state: State.State, external: ExternalState, command: "left" | "right"): State.State | undefined => {
  const content = Viewport.contentOf(external)
  const code = Viewport.selectedLine(state, external)?.names
  if (content?._tag !== "Document" || code === undefined || state.isPaneFocused) return undefined
  const window = Viewport.windowOf(state, external)
  const names = code.names()
  const index = names.findIndex(({ start }) => start === Viewport.selectedName(state, external)?.start)
  const name = index === -1 ? undefined : names[index + (command === "left" ? -1 : 1)]
  if (name === undefined) return undefined
  const line = code.lineWith(name)
  const first = line.findIndex(({ background }) => background === "name")
  const last = line.findLastIndex(({ background }) => background === "name")
  const start = StyledLine.width(line.slice(0, Math.max(0, first)))
  const end = StyledLine.width(line.slice(0, last + 1))
  const room = Viewport.textColumns(state, external, content, window.cursor)
  const position = State.position(state)
  const isVisible = start >= position.left && end <= position.left + room
  const left = isVisible ? position.left : end + NAME_MARGIN <= room ? 0 : Math.max(0, end + NAME_MARGIN - room)
  return State.withPosition(state, { ...position, ...window, column: name.start, left: Math.min(left, start) })
}

/** Maximum number of columns to scroll to the right. */
const MAX_LEFT = 2_000

/** Scrolls a document sideways, up to the end of the longest visible line. The columns of tables always fit. */
const sideways = (state: State.State, external: ExternalState, command: "left" | "right"): State.State => {
  const content = Viewport.contentOf(external)
  if (content?._tag !== "Document") return state
  const position = { ...State.position(state), ...Viewport.windowOf(state, external) }
  const layout = Viewport.layoutOf(state, content)
  const room = Viewport.contentColumns(Viewport.split(state, content).mainColumns)
  const visible = Math.max(0, Math.min(Viewport.bodyRows(state), layout.length - position.top))
  const widest = Array.from({ length: visible }, (_, index) =>
    StyledLine.widthUpTo(layout.lineAt(position.top + index, external.now).line, MAX_LEFT + room)
  )
  const furthest = Math.max(0, Math.max(0, ...widest) - room)
  const step = command === "left" ? -SIDEWAYS_STEP : SIDEWAYS_STEP
  const left = Math.max(0, Math.min(furthest, position.left + step))
  return State.withPosition(state, { ...position, left })
}

/** Returns the number of rows that a command moves; negative for up. */
export const steps = (command: CommandId, height: number, count: number): number => {
  const half = Math.max(1, Math.floor(height / 2))
  const page = Math.max(1, height - 1)
  switch (command) {
    case "down":
      return 1
    case "up":
      return -1
    case "halfDown":
      return half
    case "halfUp":
      return -half
    case "pageDown":
      return page
    case "pageUp":
      return -page
    case "top":
      return -count
    case "bottom":
      return count
    default:
      return 0
  }
}

/** Returns the first line of the next or previous section; undefined for other commands. */
const sectionStart = (layout: Layout, cursor: number, command: CommandId): number | undefined => {
  if (command === "nextSection") return layout.sections.find(({ firstLine }) => firstLine > cursor)?.firstLine ?? cursor
  if (command === "previousSection")
    return layout.sections.findLast(({ firstLine }) => firstLine < cursor)?.firstLine ?? 0
  return undefined
}
