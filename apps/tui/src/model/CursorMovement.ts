/** Moves the cursor and scrolls. Every function is pure and returns the next state. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ScreenContent from "./ScreenContent.ts"
import * as FindInText from "./FindInText.ts"
import type * as KeyBindings from "./KeyBindings.ts"
import * as StyledLine from "../text/StyledLine.ts"
import * as ListWindow from "./ListWindow.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** Number of columns per horizontal scroll. */
const SIDEWAYS_STEP = 8

/** Number of lines that stay visible above a match. */
const LINES_ABOVE_MATCH = 3

/** Moves by a command: the cursor of a list, or the scroll position of a document. */
export const move = (state: State.State, external: ExternalState, command: KeyBindings.Command): State.State => {
  const height = Viewport.bodyRows(state, external)
  const content = Viewport.contentOf(external)
  const position = State.position(state)
  switch (content?._tag) {
    case "Document": {
      const layout = Viewport.layoutOf(state, content)
      const window = Viewport.scrollPosition(state, layout, height)
      const shown = layout.lines.slice(window.top, window.top + height)
      const left = sideways(position.left, command, shown, state.columns - Viewport.MARKER_WIDTH)
      const target = sectionStart(layout, window.top, command)
      const step = target === undefined ? steps(command, height, layout.lines.length) : target - window.top
      return State.withPosition(state, {
        ...position,
        left,
        ...ListWindow.scroll(window, step, layout.lines.length, height)
      })
    }
    case "List": {
      const count = Viewport.filteredRows(state, content).length
      return State.withPosition(state, {
        ...position,
        ...ListWindow.move(position, steps(command, height, count), count, height)
      })
    }
    case "Notice":
    case undefined:
      return state
  }
}

/** Scrolls to the next or previous line of a document that contains the text, wrapping around. */
export const findNext = (state: State.State, external: ExternalState, text: string, direction: 1 | -1): State.State => {
  const content = Viewport.contentOf(external)
  if (content?._tag !== "Document") return state
  const layout = Viewport.layoutOf(state, content)
  const height = Viewport.bodyRows(state, external)
  const window = Viewport.scrollPosition(state, layout, height)
  const position = { ...State.position(state), ...window, findText: text }
  const isVisible = (line: number) => line >= window.top && line < window.top + height
  const matches = FindInText.matchingLines(layout, text)
  const from = isVisible(position.foundLine)
    ? position.foundLine
    : direction === 1
      ? window.top - 1
      : window.top + height
  const found = FindInText.nextMatch(matches, from, direction)
  if (found === undefined)
    return { ...State.withPosition(state, { ...position, findText: "" }), message: `No matches for ${text}` }
  const top = isVisible(found) ? window.top : found - LINES_ABOVE_MATCH
  const column = FindInText.matchColumn(layout.lines[found] ?? StyledLine.empty, text)
  const left = column + text.length < state.columns - Viewport.MARKER_WIDTH ? 0 : column - Math.floor(state.columns / 2)
  return {
    ...State.withPosition(state, {
      ...position,
      foundLine: found,
      left,
      ...ListWindow.scroll({ cursor: top, top }, 0, layout.lines.length, height)
    }),
    message: `${NumberFormat.format(matches.indexOf(found) + 1)} of ${NumberFormat.quantity(matches.length, "line")} with ${text}. n N next, previous; Esc ends`
  }
}

/** Returns the next horizontal scroll position, at most the end of the longest visible line. */
const sideways = (
  left: number,
  command: KeyBindings.Command,
  shown: ReadonlyArray<StyledLine.Line>,
  room: number
): number => {
  if (command === "left") return Math.max(0, left - SIDEWAYS_STEP)
  const isBeyond = command === "right" && shown.some((line) => StyledLine.width(line) > left + room)
  return isBeyond ? left + SIDEWAYS_STEP : left
}

/** Scrolls the help. */
export const scrollHelp = (state: State.State, external: ExternalState, command: KeyBindings.Command): State.State => {
  const height = Viewport.bodyRows(state, external)
  const { length } = Viewport.helpLines(state, external)
  const top = state.helpTop ?? 0
  return {
    ...state,
    helpTop: ListWindow.scroll({ cursor: top, top }, steps(command, height, length), length, height).top
  }
}

/** Returns true if the command moves toward the end of the content. */
export const movesDown = (command: KeyBindings.Command): boolean => steps(command, 1, 1) > 0

/** Returns the number of rows that a command moves; negative for up. */
const steps = (command: KeyBindings.Command, height: number, count: number): number => {
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
const sectionStart = (layout: ScreenContent.Layout, top: number, command: KeyBindings.Command): number | undefined => {
  if (command === "nextSection") return layout.sections.find((section) => section.firstLine > top)?.firstLine
  if (command === "previousSection")
    return layout.sections.findLast((section) => section.firstLine < top)?.firstLine ?? 0
  return undefined
}
