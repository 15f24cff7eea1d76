/** Finds text in a document, case-insensitively. Skips muted spans, such as line numbers. */
import type { Layout } from "../content/Document.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Span } from "../text/StyledLine.ts"

/** Returns the indexes of the lines that contain the text. */
export const matchingLines = (layout: Layout, text: string): ReadonlyArray<number> => {
  const cached = cache.get(layout)
  if (cached?.text === text) return cached.lines
  const pattern = patternOf(text)
  const lines: Array<number> = []
  for (let index = 0; index < layout.length; index++)
    if (
      layout.textAt === undefined
        ? contains(layout.lineAt(index, 0).line, pattern)
        : layout.textAt(index).search(pattern) >= 0
    )
      lines.push(index)
  cache.set(layout, { text, lines })
  return lines
}

const contains = (line: Line, pattern: RegExp): boolean =>
  line.some((span) => span.role !== "muted" && span.text.search(pattern) >= 0)

/** The result of the last search in each document. */
const cache = new WeakMap<Layout, { readonly text: string; readonly lines: ReadonlyArray<number> }>()

/** Returns the next or previous of `lines` from the line `from`, wrapping around; undefined if `lines` is empty. */
export const nextMatch = (lines: ReadonlyArray<number>, from: number, direction: 1 | -1): number | undefined =>
  direction === 1
    ? (lines.find((line) => line > from) ?? lines[0])
    : (lines.findLast((line) => line < from) ?? lines.at(-1))

/** Highlights every occurrence of the text, with the role `match`. */
export const highlight = (line: Line, text: string): Line => {
  const pattern = patternOf(text)
  return line.flatMap((span) => {
    if (span.role === "muted") return [span]
    const marked: Array<Span> = []
    let end = 0
    for (const { 0: match, index } of span.text.matchAll(pattern)) {
      if (index > end) marked.push({ ...span, text: span.text.slice(end, index) })
      marked.push({ ...span, text: match, role: "match" })
      end = index + match.length
    }
    return end === 0 ? [span] : [...marked, { ...span, text: span.text.slice(end) }]
  })
}

/** Returns the column of the first occurrence of the text in a matching line. */
export const matchColumn = (line: Line, text: string): number => {
  const pattern = patternOf(text)
  const index = line.findIndex((span) => span.role !== "muted" && span.text.search(pattern) >= 0)
  const before = line[index]?.text.slice(0, line[index].text.search(pattern)) ?? ""
  return StyledLine.width([...line.slice(0, index), { text: before, role: "plain" }])
}

const patternOf = (text: string) => new RegExp(RegExp.escape(text), "giu")
