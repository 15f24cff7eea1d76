/** Highlights the matches of the query whose results linked to the file. */
import { type EditorState, type Extension, Prec, type Text } from "@codemirror/state"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import { externalField } from "./ExternalField.ts"
import * as TextRanges from "./TextRanges.ts"
import { viewportDecorations } from "./ViewportDecorations.ts"

/** The matches in one line, as offsets in the line. */
export interface LineMatches {
  /** The line number, from 1. */
  readonly line: number
  readonly ranges: ReadonlyArray<TextRange>
}

/** The matches as offsets in the whole text. */
export const matches = externalField<TextRanges.TextRanges>(TextRanges.empty)

export const matchHighlights: Extension = [
  matches.field,
  // A higher precedence than the syntax decorations makes a match one element, which contains the syntax elements.
  Prec.high(
    viewportDecorations(
      (state, from, to, add) =>
        TextRanges.addDecorations(matches.of(state), state.selection.main, { from, to }, "match", add),
      (update) => update.selectionSet || matches.hasChanged(update)
    )
  )
]

/** Converts to offsets in the whole text. Drops matches outside the text, which may belong to another commit. */
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

/** The index of the selected match, from 0. */
export const currentMatchIndex = (state: EditorState): number | undefined =>
  TextRanges.current(matches.of(state), state.selection.main)
