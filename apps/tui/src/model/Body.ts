/** The content of a screen as lines: messages, and the common parts of tables and documents. */
import type { DocumentLine } from "../content/Document.ts"
import type { Message } from "../content/Message.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Role } from "../text/StyledLine.ts"
import type * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import * as WrappedLines from "./WrappedLines.ts"

/** The content as lines, with the data for the status line. */
export interface Body {
  readonly lines: ReadonlyArray<Line>
  /** The position in the content, for example `12/300+ commits`. */
  readonly position: string
  /** True for a message about loading. */
  readonly isLoading?: boolean
}

/** Maximum width of a hint in columns, for readability. */
const MAX_HINT_WIDTH = 76

/** Creates a centered message with the next step, in place of content. */
export const message = (state: State.State, role: Role, { hint, title }: Message): Body => {
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
    lines: [...Array.from({ length: top }, () => StyledLine.empty), ...centered],
    position: ""
  }
}

/** The columns before an item for the marker. */
export const indent = StyledLine.span(" ".repeat(Viewport.MARKER_WIDTH))

/**
 * Creates the line of an item: marker and text, with the background of the selection or the mark, or without either.
 */
export const itemLine = (
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

/** Creates the rows of a line of a document, at most `max`. Rows after the first have no marker. */
export const documentRows = (
  line: DocumentLine,
  columns: number,
  max: number,
  isSelected: boolean,
  isMarked: boolean
): ReadonlyArray<Line> =>
  WrappedLines.rowsOf(line, Viewport.contentColumns(columns), max).map((row, index) => {
    if (index === 0) return itemLine(row, columns, isSelected, isMarked, line.background)
    const below = itemLine(row, columns, false, false, line.background)
    return isSelected || isMarked ? StyledLine.withBackground(below, isSelected ? "selected" : "marked") : below
  })

/** Joins two sides of the body with a rule in the middle. */
export const beside = (
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
