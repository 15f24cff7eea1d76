/** Going up, down and sideways in what is on the screen. Pure: every function gives the next state. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ScreenContent from "./ScreenContent.ts"
import * as FindInText from "./FindInText.ts"
import * as Help from "./Help.ts"
import type * as KeyBindings from "./KeyBindings.ts"
import * as StyledLine from "./StyledLine.ts"
import * as ListWindow from "./ListWindow.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"

/** Columns that a text moves sideways at once. */
const SIDEWAYS = 8

/** Lines that stay in sight above what was looked for. */
const ABOVE = 3

export const move = (state: State.State, world: View.ExternalState, command: KeyBindings.Command): State.State => {
  const height = View.bodyRows(state, world)
  const content = View.contentOf(world)
  const position = State.position(state)
  switch (content?._tag) {
    case "Document": {
      const layout = View.layoutOf(state, content)
      const window = View.scrollPosition(state, layout, height)
      const shown = layout.lines.slice(window.top, window.top + height)
      const left = sideways(position.left, command, shown, state.columns - View.MARKER_WIDTH)
      const to = partStep(layout, window.top, command)
      const step = to === undefined ? steps(command, height, layout.lines.length) : to - window.top
      return State.withPosition(state, {
        ...position,
        left,
        ...ListWindow.scroll(window, step, layout.lines.length, height)
      })
    }
    case "List": {
      const count = View.filteredRows(state, content).length
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

/** To the next line of the text with the words, or to the one before, round in a circle. */
export const findNext = (
  state: State.State,
  world: View.ExternalState,
  words: string,
  direction: 1 | -1
): State.State => {
  const content = View.contentOf(world)
  if (content?._tag !== "Document") return state
  const layout = View.layoutOf(state, content)
  const height = View.bodyRows(state, world)
  const window = View.scrollPosition(state, layout, height)
  const position = { ...State.position(state), ...window, findText: words }
  const isSeen = (line: number) => line >= window.top && line < window.top + height
  const all = FindInText.matchingLines(layout, words)
  const from = isSeen(position.foundLine) ? position.foundLine : direction === 1 ? window.top - 1 : window.top + height
  const found = FindInText.nextMatch(all, from, direction)
  if (found === undefined)
    return { ...State.withPosition(state, { ...position, findText: "" }), message: `Nothing matches ${words}` }
  const top = isSeen(found) ? window.top : found - ABOVE
  const column = FindInText.matchColumn(layout.lines[found] ?? StyledLine.empty, words)
  const left = column + words.length < state.columns - View.MARKER_WIDTH ? 0 : column - Math.floor(state.columns / 2)
  return {
    ...State.withPosition(state, {
      ...position,
      foundLine: found,
      left,
      ...ListWindow.scroll({ cursor: top, top }, 0, layout.lines.length, height)
    }),
    message: `${NumberFormat.format(all.indexOf(found) + 1)} of ${NumberFormat.quantity(all.length, "line")} with ${words}: n N go on, Esc ends`
  }
}

/** Columns out of sight on the left: no more than it takes to see the end of the longest line that is shown. */
const sideways = (
  left: number,
  command: KeyBindings.Command,
  shown: ReadonlyArray<StyledLine.Line>,
  room: number
): number => {
  if (command === "left") return Math.max(0, left - SIDEWAYS)
  const isBeyond = command === "right" && shown.some((line) => StyledLine.width(line) > left + room)
  return isBeyond ? left + SIDEWAYS : left
}

/** Up and down in the help, where it is longer than the screen. */
export const scrollHelp = (
  state: State.State,
  world: View.ExternalState,
  command: KeyBindings.Command
): State.State => {
  const height = View.bodyRows(state, world)
  const { length } = Help.lines(state.columns, height, world.notices)
  const top = state.helpTop ?? 0
  return {
    ...state,
    helpTop: ListWindow.scroll({ cursor: top, top }, steps(command, height, length), length, height).top
  }
}

/** Whether the command goes towards the end. */
export const movesDown = (command: KeyBindings.Command): boolean => steps(command, 1, 1) > 0

/** Rows that a command moves by. */
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

/** The line at which the next or the previous part starts. */
const partStep = (layout: ScreenContent.Layout, top: number, command: KeyBindings.Command): number | undefined => {
  if (command === "nextPart") return layout.sections.find((part) => part.firstLine > top)?.firstLine
  if (command === "previousPart") return layout.sections.findLast((part) => part.firstLine < top)?.firstLine ?? 0
  return undefined
}
