/** Text cut into pieces: where its syntax has a class, and where the words stand that were looked for. */
import type { Range } from "../../Wire.ts"
import * as SyntaxTokens from "./SyntaxTokens.ts"

/** A part of a text with the class of its syntax. */
export interface SyntaxToken {
  readonly start: number
  readonly end: number
  readonly syntaxClass: string
}

/** A stretch of text that looks the same throughout. */
export interface TextSegment {
  readonly text: string
  readonly syntaxClass: string | undefined
  readonly isMatch: boolean
}

/**
 * `text` as pieces, in order and without gaps. `tokens` are in order and apart; `marks` may be in any order, overlap, or
 * reach beyond the text.
 */
export const segments = (
  text: string,
  tokens: ReadonlyArray<SyntaxToken>,
  marks: ReadonlyArray<Range>
): ReadonlyArray<TextSegment> => {
  const joined = join(marks, text.length)
  const cuts = new Set([0, text.length])
  for (const { end, start } of tokens) cuts.add(Math.min(start, text.length)).add(Math.min(end, text.length))
  for (const [start, end] of joined) cuts.add(start).add(end)
  const found: Array<TextSegment> = []
  let token = 0
  let mark = 0
  let start = 0
  for (const end of [...cuts].sort((a, b) => a - b).slice(1)) {
    while ((tokens[token]?.end ?? end) <= start) token++
    while ((joined[mark]?.[1] ?? end) <= start) mark++
    const under = tokens[token]
    found.push({
      text: text.slice(start, end),
      syntaxClass: under !== undefined && under.start <= start ? under.syntaxClass : undefined,
      isMatch: (joined[mark]?.[0] ?? end) <= start
    })
    start = end
  }
  return found
}

/** The ranges of `all` within `[start, end)`, counted from `start`. */
export const clip = (all: ReadonlyArray<Range>, start: number, end: number): ReadonlyArray<Range> =>
  all
    .filter(([from, to]) => from < end && to > start)
    .map(([from, to]): Range => [Math.max(from, start) - start, Math.min(to, end) - start])

/** The same as `within` for tokens. */
export const clipTokens = (
  tokens: SyntaxTokens.SyntaxTokens,
  start: number,
  end: number
): ReadonlyArray<SyntaxToken> => {
  const found: Array<SyntaxToken> = []
  for (let at = SyntaxTokens.firstEndingAfter(tokens, start); at < tokens.length; at += SyntaxTokens.STRIDE) {
    const [from = 0, to = 0, name = 0] = tokens.subarray(at, at + SyntaxTokens.STRIDE)
    if (from >= end) break
    found.push({
      start: Math.max(from, start) - start,
      end: Math.min(to, end) - start,
      syntaxClass: SyntaxTokens.SYNTAX_CLASSES[name] ?? ""
    })
  }
  return found
}

/** In order, apart, within the text, and none of them empty. */
const join = (marks: ReadonlyArray<Range>, length: number): ReadonlyArray<Range> => {
  const joined: Array<[number, number]> = []
  for (const [from, to] of [...marks].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(0, from)
    const end = Math.min(length, to)
    if (start >= end) continue
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
