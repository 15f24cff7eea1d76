import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { Chunk, Line, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as EnclosingLine from "./EnclosingLine.ts"
import type { PartialText } from "./text/PartialText.ts"
import * as Pattern from "./text/Pattern.ts"

/** Maximum number of characters shown of a line, and of the part before the first match. */
const MAX_WIDTH = 1_000
const LEAD = 200

/** Maximum number of characters of the enclosing line of a chunk. */
const MAX_ENCLOSING = 200

/** Maximum number of lines with matches per file. */
const maxLines = { best: 5, all: 10_000 }

/** Maximum number of complete lines per file, with the lines around the matches. */
export const MAX_COMPLETE_LINES = 300_000

/** A line and the matches, as ranges in the line. */
interface Matched {
  readonly number: number
  readonly text: string
  readonly matches: Array<TextRange>
}

/**
 * Returns the best matching lines of a text, or all matching lines, each with `context` surrounding lines. The best
 * lines are ordered: the chunk with a definition first, then chunks with whole words.
 */
export const chunks = (
  content: PartialText,
  ranges: ReadonlyArray<TextRange>,
  definitions: ReadonlyArray<CodeSymbol>,
  { context, lines: shown }: { readonly lines: "best" | "all"; readonly context: number }
): ReadonlyArray<Chunk> => {
  if (ranges.length === 0) return []
  const matched = new Map(byLine(content, ranges).map((one) => [one.number, one]))
  const worths = new Map(Array.from(matched.values(), (one) => [one.number, worth(one, definitions)]))
  const worthOf = (number: number) => worths.get(number) ?? -1
  const ordered = [...matched.keys()]
  if (shown === "best") ordered.sort((a, b) => worthOf(b) - worthOf(a) || a - b)
  const numbers = new Set(
    ordered.slice(0, maxLines[shown]).flatMap((number) => {
      const from = Math.max(1, number - context)
      return Array.from({ length: number + context - from + 1 }, (_, at) => from + at)
    })
  )
  const groups: Array<Array<Line>> = []
  let last = -1
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const text = matched.get(number)?.text ?? content.line(number)
    // The context can end with the text.
    if (text === undefined) continue
    const line = make({ number, text, matches: matched.get(number)?.matches ?? [] }, definitions)
    // Without context, each best line is a chunk, so that a definition comes before a preceding comment.
    if (number === last + 1 && (context > 0 || shown === "all")) groups.at(-1)?.push(line)
    else groups.push([line])
    last = number
  }
  if (shown === "all") return groups.map((lines) => ({ lines }))
  const best = (lines: ReadonlyArray<Line>) => Math.max(...lines.map(({ number }) => worthOf(number)))
  return groups.toSorted((a, b) => best(b) - best(a)).map((lines) => ({ lines, ...enclosingOf(content, lines) }))
}

/** Returns the line that begins the definition around the first match of `lines`, unless `lines` contains that line. */
const enclosingOf = (content: PartialText, lines: ReadonlyArray<Line>): Pick<Chunk, "enclosing"> => {
  const first = lines.find(({ matches }) => matches.length > 0)
  const number = first === undefined ? undefined : EnclosingLine.find(content, first.number)
  if (number === undefined || number >= (lines[0]?.number ?? 0)) return {}
  const text = content.line(number) ?? ""
  return { enclosing: { number, text: text.slice(0, whole(text, 0, Math.min(MAX_ENCLOSING, text.length))).trim() } }
}

/**
 * Returns every complete line with a match, with `context` surrounding lines, for which the text must be whole.
 * Consecutive lines are one chunk. `isCut` is true if there are more than `MAX_COMPLETE_LINES`.
 */
export const complete = (
  content: PartialText,
  ranges: ReadonlyArray<TextRange>,
  context: number
): { readonly chunks: ReadonlyArray<Chunk>; readonly isCut: boolean } => {
  const { lines: table, text } = content
  const isAscii = Buffer.byteLength(text) === text.length
  const groups: Array<Array<Line>> = []
  let counted = -1
  let bytes = 0
  let last = 0
  let count = 0
  const add = (number: number, matches: ReadonlyArray<TextRange>) => {
    const row = content.rowOf(number) ?? 0
    const start = table.starts[row] ?? text.length
    const next = table.starts[row + 1] ?? text.length
    const section = content.sectionAt(start)
    if (section !== undefined && section.start > counted) {
      counted = section.start
      bytes = section.bytes
    }
    count++
    bytes += isAscii ? start - counted : Buffer.byteLength(text.slice(counted, start))
    counted = start
    const line: Line = {
      number,
      text: text.slice(start, text[next - 1] === "\n" ? next - 1 : next),
      cut: 0,
      matches,
      offset: bytes
    }
    if (number === last + 1 && groups.length > 0) groups.at(-1)?.push(line)
    else groups.push([line])
    last = number
  }
  const matched = byLine(content, ranges)
  for (const [index, { matches, number }] of matched.entries()) {
    if (count >= MAX_COMPLETE_LINES) return { chunks: groups.map((lines) => ({ lines })), isCut: true }
    for (let before = Math.max(last + 1, number - context); before < number; before++) add(before, [])
    add(number, matches)
    const end = Math.min(table.starts.length, number + context, (matched[index + 1]?.number ?? Infinity) - 1)
    for (let after = number + 1; after <= end; after++) add(after, [])
  }
  return { chunks: groups.map((lines) => ({ lines })), isCut: false }
}

/** Assigns ranges to the lines in which they start. */
const byLine = (content: PartialText, ranges: ReadonlyArray<TextRange>): ReadonlyArray<Matched> => {
  const lines: Array<Matched> = []
  let line: { readonly start: number; readonly end: number } | undefined
  for (const [from, to] of ranges) {
    if (line === undefined || from > line.end) {
      const number = content.lineAt(from)
      if (line === undefined || number !== lines.at(-1)?.number) {
        line = content.lineOffsets(number) ?? { start: from, end: to }
        lines.push({ number, text: content.text.slice(line.start, line.end), matches: [] })
      }
    }
    lines.at(-1)?.matches.push([from - line.start, to - line.start])
  }
  return lines
}

const worth = ({ matches, number, text }: Matched, definitions: ReadonlyArray<CodeSymbol>): number => {
  const defines = definitions.some((one) => one.line === number) ? 2 : 0
  const isWhole = matches.some(([start, end]) => !Pattern.isWord(text[start - 1]) && !Pattern.isWord(text[end]))
  return defines + (isWhole ? 1 : 0)
}

const make = ({ matches, number, text: all }: Matched, definitions: ReadonlyArray<CodeSymbol>): Line => {
  const first = matches[0]?.[0] ?? 0
  const cut = all.length <= MAX_WIDTH ? 0 : whole(all, 0, Math.max(0, first - LEAD))
  const text = all.slice(cut, cut + whole(all, cut, Math.min(MAX_WIDTH, all.length - cut)))
  const shown = matches.flatMap(([start, end]): ReadonlyArray<TextRange> => {
    const range: TextRange = [Math.max(0, start - cut), Math.min(text.length, end - cut)]
    return range[0] < range[1] ? [range] : []
  })
  const symbol = definitions.find((one) => {
    const at = one.line === number ? text.indexOf(one.name) : -1
    return at !== -1 && shown.some(([a, b]) => a < at + one.name.length && b > at)
  })
  return { number, text, cut, matches: shown, ...(symbol === undefined ? {} : { symbol: symbol.kind }) }
}

/** Returns the length of an excerpt: one less if the excerpt would otherwise split a surrogate pair. */
const whole = (text: string, start: number, length: number): number => {
  const unit = text.charCodeAt(start + length)
  return length > 0 && unit >= 0xdc00 && unit <= 0xdfff ? length - 1 : length
}
