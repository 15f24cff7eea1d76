/** The rows of a document whose long lines wrap. The lines keep their indexes, so that finding and moving work as before. */
import type { DocumentLine, Layout } from "../content/Document.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import type { ListWindow } from "./ListWindow.ts"

/** Returns the rows of a line, at most `max`. Rows after the first are below the text, not below the gutter. */
export const rowsOf = ({ gutter = [], line }: DocumentLine, columns: number, max: number): ReadonlyArray<Line> => {
  const width = StyledLine.width(gutter)
  const indent = StyledLine.span(" ".repeat(width))
  return StyledLine.breakInto(line, Math.max(1, columns - width), max).map((part, index) =>
    index === 0 ? [...gutter, ...part] : [indent, ...part]
  )
}

/** A document on the screen. */
export interface Page {
  readonly layout: Layout
  /** Columns and rows for the text. */
  readonly columns: number
  readonly height: number
  readonly now: number
}

/** Returns the window in which the whole line of the cursor is visible. */
export const windowOf = (window: ListWindow, { columns, height, layout, now }: Page): ListWindow => {
  let top = window.cursor
  for (let line = window.cursor, used = 0; line >= window.top; line--) {
    used += rowsOf(layout.lineAt(line, now), columns, height).length
    if (used > height) break
    top = line
  }
  return { ...window, top }
}

/** Returns the index of the line that has each row of the screen. */
export const linesByRow = (top: number, { columns, height, layout, now }: Page): ReadonlyArray<number> => {
  const lines: Array<number> = []
  for (let line = top; line < layout.length && lines.length < height; line++)
    for (const _ of rowsOf(layout.lineAt(line, now), columns, height - lines.length)) lines.push(line)
  return lines
}
