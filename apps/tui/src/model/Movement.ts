/** Going up, down and sideways in what is on the screen. Pure: every function gives the next state. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Content from "./Content.ts"
import * as Find from "./Find.ts"
import * as Help from "./Help.ts"
import type * as Key from "./Key.ts"
import * as Line from "./Line.ts"
import * as ListWindow from "./ListWindow.ts"
import * as State from "./State.ts"
import * as View from "./View.ts"

/** Columns that a text moves sideways at once. */
const SIDEWAYS = 8

/** Lines that stay in sight above what was looked for. */
const ABOVE = 3

export const move = (state: State.State, world: View.World, command: Key.Command): State.State => {
  const height = View.bodyRows(state, world)
  const content = View.content(world)
  const position = State.position(state)
  switch (content?._tag) {
    case "Document": {
      const layout = View.layoutOf(state, content)
      const window = View.scrolled(state, layout, height)
      const shown = layout.lines.slice(window.top, window.top + height)
      const left = sideways(position.left, command, shown, state.columns - View.MARK)
      const to = partStep(layout, window.top, command)
      const step = to === undefined ? steps(command, height, layout.lines.length) : to - window.top
      return State.moved(state, { ...position, left, ...ListWindow.scroll(window, step, layout.lines.length, height) })
    }
    case "List": {
      const count = View.rowsOf(state, content).length
      return State.moved(state, {
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
export const look = (state: State.State, world: View.World, words: string, direction: 1 | -1): State.State => {
  const content = View.content(world)
  if (content?._tag !== "Document") return state
  const layout = View.layoutOf(state, content)
  const height = View.bodyRows(state, world)
  const window = View.scrolled(state, layout, height)
  const position = { ...State.position(state), ...window, find: words }
  const isSeen = (line: number) => line >= window.top && line < window.top + height
  const all = Find.lines(layout, words)
  const from = isSeen(position.found) ? position.found : direction === 1 ? window.top - 1 : window.top + height
  const found = Find.step(all, from, direction)
  if (found === undefined) return { ...State.moved(state, { ...position, find: "" }), said: `Nothing matches ${words}` }
  const top = isSeen(found) ? window.top : found - ABOVE
  const column = Find.column(layout.lines[found] ?? Line.empty, words)
  const left = column + words.length < state.columns - View.MARK ? 0 : column - Math.floor(state.columns / 2)
  return {
    ...State.moved(state, {
      ...position,
      found,
      left,
      ...ListWindow.scroll({ cursor: top, top }, 0, layout.lines.length, height)
    }),
    said: `${NumberFormat.format(all.indexOf(found) + 1)} of ${NumberFormat.quantity(all.length, "line")} with ${words}: n N go on, Esc ends`
  }
}

/** Columns out of sight on the left: no more than it takes to see the end of the longest line that is shown. */
const sideways = (left: number, command: Key.Command, shown: ReadonlyArray<Line.Line>, room: number): number => {
  if (command === "left") return Math.max(0, left - SIDEWAYS)
  const isBeyond = command === "right" && shown.some((line) => Line.width(line) > left + room)
  return isBeyond ? left + SIDEWAYS : left
}

/** Up and down in the help, where it is longer than the screen. */
export const moveHelp = (state: State.State, world: View.World, command: Key.Command): State.State => {
  const height = View.bodyRows(state, world)
  const { length } = Help.lines(state.columns, height, world.notices)
  const top = state.help ?? 0
  return { ...state, help: ListWindow.scroll({ cursor: top, top }, steps(command, height, length), length, height).top }
}

/** Whether the command goes towards the end. */
export const isDown = (command: Key.Command): boolean => steps(command, 1, 1) > 0

/** Rows that a command moves by. */
const steps = (command: Key.Command, height: number, count: number): number => {
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
const partStep = (layout: Content.Layout, top: number, command: Key.Command): number | undefined => {
  if (command === "nextPart") return layout.parts.find((part) => part.at > top)?.at
  if (command === "previousPart") return layout.parts.findLast((part) => part.at < top)?.at ?? 0
  return undefined
}
