/** The matches of the search that led here. */
import { type EditorState, type Extension, Prec, type Text } from "@codemirror/state"
import type { Range } from "../../Wire.ts"
import { externalField, viewportDecorations } from "./ViewportDecorations.ts"
import * as TextRanges from "./TextRanges.ts"

/** The matches of one line. */
export interface LineMatches {
  /** From 1. */
  readonly line: number
  readonly ranges: ReadonlyArray<Range>
}

/** Where they stand in the whole text. */
export const matches = externalField<TextRanges.TextRanges>(TextRanges.empty)

export const matchHighlights: Extension = [
  matches.field,
  // Outside of the colours of the syntax, so that a match is one piece.
  Prec.high(
    viewportDecorations(
      (state, from, to, draw) =>
        TextRanges.addDecorations(matches.of(state), state.selection.main, { from, to }, "mark", draw),
      (update) => update.selectionSet || matches.has(update)
    )
  )
]

/** Marks by line as places in the whole text. What is beyond the text, as it may be of another commit, is left out. */
export const toOffsets = (doc: Text, lines: ReadonlyArray<LineMatches>): TextRanges.TextRanges =>
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
export const currentMatch = (state: EditorState): number | undefined =>
  TextRanges.current(matches.of(state), state.selection.main)
