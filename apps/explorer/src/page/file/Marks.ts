/** The matches of the search that led here. */
import { type EditorState, type Extension, Prec, type Text } from "@codemirror/state"
import type { Range } from "../../Wire.ts"
import { given, painted } from "./Painted.ts"
import * as Ranges from "./Ranges.ts"

/** The matches of one line. */
export interface LineMarks {
  /** From 1. */
  readonly line: number
  readonly ranges: ReadonlyArray<Range>
}

/** Where they stand in the whole text. */
export const marks = given<Ranges.Ranges>(Ranges.none)

export const marked: Extension = [
  marks.field,
  // Outside of the colours of the syntax, so that a match is one piece.
  Prec.high(
    painted(
      (state, from, to, draw) => Ranges.paint(marks.of(state), state.selection.main, { from, to }, "mark", draw),
      (update) => update.selectionSet || marks.has(update)
    )
  )
]

/** Marks by line as places in the whole text. What is beyond the text, as it may be of another commit, is left out. */
export const place = (doc: Text, lines: ReadonlyArray<LineMarks>): Ranges.Ranges =>
  Uint32Array.from(
    lines.flatMap(({ line, ranges }) => {
      if (line > doc.lines) return []
      const { from, length } = doc.line(line)
      return ranges
        .filter(([start, end]) => start < end && end <= length)
        .flatMap(([start, end]) => [from + start, from + end])
    })
  )

/** Of the matches, the one that is selected, from 0. */
export const current = (state: EditorState): number | undefined => Ranges.current(marks.of(state), state.selection.main)
