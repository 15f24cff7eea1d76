/** Splits text at the borders of syntax tokens and matches. */
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"

/** A range of a text, in UTF-16 units, with one of `SyntaxTokens.SYNTAX_CLASSES`. */
export interface SyntaxToken {
  readonly start: number
  readonly end: number
  readonly syntaxClass: string
}

/** A part of a text with one style. */
export interface TextSegment {
  readonly text: string
  readonly syntaxClass: string | undefined
  readonly isMatch: boolean
}

/**
 * The segments of `text`, in order and without gaps. `tokens` are in order and do not overlap; `matches` may be in any
 * order, overlap, or exceed the text.
 */
export const segments = (
  text: string,
  tokens: ReadonlyArray<SyntaxToken>,
  matches: ReadonlyArray<TextRange>
): ReadonlyArray<TextSegment> => {
  const merged = merge(matches, text.length)
  const cuts = new Set([0, text.length])
  for (const { end, start } of tokens) cuts.add(Math.min(start, text.length)).add(Math.min(end, text.length))
  for (const [start, end] of merged) cuts.add(start).add(end)
  const segments: Array<TextSegment> = []
  let token = 0
  let match = 0
  let start = 0
  for (const end of [...cuts].sort((a, b) => a - b).slice(1)) {
    while ((tokens[token]?.end ?? end) <= start) token++
    while ((merged[match]?.[1] ?? end) <= start) match++
    const current = tokens[token]
    segments.push({
      text: text.slice(start, end),
      syntaxClass: current !== undefined && current.start <= start ? current.syntaxClass : undefined,
      isMatch: (merged[match]?.[0] ?? end) <= start
    })
    start = end
  }
  return segments
}

/** The parts of `ranges` within `[start, end)`, relative to `start`. */
export const clip = (ranges: ReadonlyArray<TextRange>, start: number, end: number): ReadonlyArray<TextRange> =>
  ranges
    .filter(([from, to]) => from < end && to > start)
    .map(([from, to]): TextRange => [Math.max(from, start) - start, Math.min(to, end) - start])

/** The parts of `tokens` within `[start, end)`, relative to `start`. */
export const clipTokens = (
  tokens: SyntaxTokens.SyntaxTokens,
  start: number,
  end: number
): ReadonlyArray<SyntaxToken> => {
  const clipped: Array<SyntaxToken> = []
  for (let at = SyntaxTokens.firstEndingAfter(tokens, start); at < tokens.length; at += SyntaxTokens.STRIDE) {
    const [from = 0, to = 0, name = 0] = tokens.subarray(at, at + SyntaxTokens.STRIDE)
    if (from >= end) break
    clipped.push({
      start: Math.max(from, start) - start,
      end: Math.min(to, end) - start,
      syntaxClass: SyntaxTokens.syntaxClasses[name] ?? ""
    })
  }
  return clipped
}

/** The ranges in order, clipped to the text, without empty or overlapping ranges. */
const merge = (ranges: ReadonlyArray<TextRange>, length: number): ReadonlyArray<TextRange> => {
  const merged: Array<[number, number]> = []
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(0, from)
    const end = Math.min(length, to)
    if (start >= end) continue
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}
