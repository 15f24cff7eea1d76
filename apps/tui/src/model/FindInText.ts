/** Words that one looks for in a text: which lines have them, and where. Whatever the case; the numbers of lines are no text. */
import type * as ScreenContent from "./ScreenContent.ts"
import * as StyledLine from "./StyledLine.ts"

/** The lines with the words, from 0. */
export const matchingLines = (layout: ScreenContent.Layout, words: string): ReadonlyArray<number> => {
  const known = last.get(layout)
  if (known?.words === words) return known.at
  const pattern = patternOf(words)
  const at = layout.lines.flatMap((line, index) =>
    line.some(({ role, text }) => role !== "muted" && text.search(pattern) >= 0) ? [index] : []
  )
  last.set(layout, { words, at })
  return at
}

/** What was looked for last in each text: every screen asks again. */
const last = new WeakMap<ScreenContent.Layout, { readonly words: string; readonly at: ReadonlyArray<number> }>()

/** The next line with the words after one, or the one before it, round in a circle. */
export const nextMatch = (at: ReadonlyArray<number>, from: number, direction: 1 | -1): number | undefined =>
  direction === 1 ? (at.find((line) => line > from) ?? at[0]) : (at.findLast((line) => line < from) ?? at.at(-1))

/** The line with the words told apart. */
export const highlight = (line: StyledLine.Line, words: string): StyledLine.Line => {
  const pattern = patternOf(words)
  return line.flatMap((span) => {
    if (span.role === "muted") return [span]
    const marked: Array<StyledLine.Span> = []
    let end = 0
    for (const { 0: match, index } of span.text.matchAll(pattern)) {
      if (index > end) marked.push({ ...span, text: span.text.slice(end, index) })
      marked.push({ text: match, role: "match" })
      end = index + match.length
    }
    return end === 0 ? [span] : [...marked, { ...span, text: span.text.slice(end) }]
  })
}

/** Columns before the first of the words in a line that has them. */
export const matchColumn = (line: StyledLine.Line, words: string): number => {
  const pattern = patternOf(words)
  const spans = line.findIndex(({ role, text }) => role !== "muted" && text.search(pattern) >= 0)
  const before = line[spans]?.text.slice(0, line[spans].text.search(pattern)) ?? ""
  return StyledLine.width([...line.slice(0, spans), { text: before, role: "plain" }])
}

const patternOf = (words: string) => new RegExp(RegExp.escape(words), "giu")
