/** Highlights all occurrences of the identifier at the caret, without comments and strings. */
import type { EditorState, Extension } from "@codemirror/state"
import * as Identifiers from "./Identifiers.ts"
import * as SyntaxDecorations from "./SyntaxDecorations.ts"
import * as TextRanges from "./TextRanges.ts"
import { viewportDecorations } from "./ViewportDecorations.ts"

export const occurrences: Extension = viewportDecorations(
  (state, from, to, add) => {
    const { head } = state.selection.main
    // Position 0 is the caret of a file that was just opened.
    const identifier = head === 0 ? undefined : selected(state)
    if (identifier === undefined) return
    const name = state.sliceDoc(identifier.from, identifier.to)
    // The margin of one word on each side keeps words at the edge whole.
    const start = Math.max(0, from - name.length - 1)
    const text = state.sliceDoc(start, to + name.length + 1)
    for (const at of Identifiers.occurrences(text, name, SyntaxDecorations.tokens.of(state), start)) {
      const end = at + name.length
      if (end > from && at < to) add(at, end, at === identifier.from ? "occurrence current" : "occurrence")
    }
  },
  (update) => update.selectionSet || SyntaxDecorations.tokens.hasChanged(update)
)

/** Returns the identifier at the caret, or the selection if the selection is exactly one identifier. */
export const selected = (state: EditorState): TextRanges.TextRange | undefined => {
  const { empty, from, to } = state.selection.main
  const identifier = Identifiers.at(state, from)
  return identifier === undefined || empty || (identifier.from === from && identifier.to === to)
    ? identifier
    : undefined
}

/** Returns the next (1) or previous (-1) occurrence of the identifier at the caret, with wraparound. */
export const next = (state: EditorState, by: 1 | -1): TextRanges.TextRange | undefined => {
  const identifier = selected(state)
  if (identifier === undefined) return undefined
  const name = state.sliceDoc(identifier.from, identifier.to)
  const starts = Identifiers.occurrences(state.doc.toString(), name, SyntaxDecorations.tokens.of(state))
  const ranges = Uint32Array.from(starts.flatMap((start) => [start, start + name.length]))
  const index = TextRanges.next(ranges, identifier, by)
  return index === undefined ? undefined : TextRanges.at(ranges, index)
}
