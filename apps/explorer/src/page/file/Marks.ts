/** The matches of the search that led here, and the way from one to the next. */
import { type EditorState, type Extension, Prec, type Text } from "@codemirror/state"
import type { Range } from "../../Wire.ts"
import { given, painted } from "./Painted.ts"

/** The matches of one line. */
export interface LineMarks {
  /** From 1. */
  readonly line: number
  readonly ranges: ReadonlyArray<Range>
}

/** Start and end in the whole text, in order. */
export const marks = given<ReadonlyArray<Range>>([])

export const marked: Extension = [
  marks.field,
  // Outside of the colours of the syntax, so that a match is one piece.
  Prec.high(
    painted(
      (state, from, to, paint) => {
        const all = marks.of(state)
        const { main } = state.selection
        for (let at = after(all, from); at < all.length; at++) {
          const [start, end] = all[at] ?? [to, to]
          if (start >= to) break
          paint(start, end, start === main.from && end === main.to ? "mark current" : "mark")
        }
      },
      (update) => update.selectionSet || marks.has(update)
    )
  )
]

/** Marks by line as places in the whole text. What is beyond the text, as it may be of another commit, is left out. */
export const place = (doc: Text, lines: ReadonlyArray<LineMarks>): ReadonlyArray<Range> =>
  lines.flatMap(({ line, ranges }) => {
    if (line > doc.lines) return []
    const { from, length } = doc.line(line)
    return ranges
      .filter(([start, end]) => start < end && end <= length)
      .map(([start, end]): Range => [from + start, from + end])
  })

/** The match after (1) or before (-1) where the reader is, from 0; after the last comes the first. */
export const next = (state: EditorState, by: 1 | -1): number | undefined => {
  const all = marks.of(state)
  if (all.length === 0) return undefined
  const { from, to } = state.selection.main
  const found =
    by === 1
      ? all.findIndex(([start]) => (from === to ? start >= from : start >= to))
      : all.findLastIndex(([, end]) => (from === to ? end < from : end <= from))
  return found !== -1 ? found : by === 1 ? 0 : all.length - 1
}

/** Of the matches, the one that is selected, from 0. */
export const current = (state: EditorState): number | undefined => {
  const { from, to } = state.selection.main
  const all = marks.of(state)
  const at = after(all, from)
  const [start, end] = all[at] ?? []
  return start === from && end === to ? at : undefined
}

/** The first match that ends after `position`. */
const after = (all: ReadonlyArray<Range>, position: number): number => {
  let low = 0
  for (let high = all.length; low < high;) {
    const middle = (low + high) >> 1
    if ((all[middle]?.[1] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}
