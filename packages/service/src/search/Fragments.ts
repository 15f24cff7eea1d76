import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as Pattern from "./text/Pattern.ts"

/** Excerpt of a text with matches. Indices are in UTF-16 code units. */
export interface Fragment {
  readonly fragment: string
  readonly matches: ReadonlyArray<{ readonly text: string; readonly indices: ReadonlyArray<number> }>
}

/** Maximum number of fragments per text, of matches per fragment, and of context characters on each side. */
const MAX_FRAGMENTS = 2
const MAX_MATCHES = 20
const CONTEXT = 80

/** Maximum number of matches from which the best are chosen. */
const MAX_RANKED = 200

/** Returns the best fragments of a text, in the order of the text. `ranges` are ordered matches without overlaps. */
export const make = (text: string, ranges: ReadonlyArray<TextRange>): ReadonlyArray<Fragment> => {
  const isWhole = ([start, end]: TextRange) => !Pattern.isWord(text[start - 1]) && !Pattern.isWord(text[end])
  const looked = ranges.slice(0, MAX_RANKED)
  const windows: Array<TextRange> = []
  for (const range of [...looked.filter(isWhole), ...looked]) {
    if (windows.length === MAX_FRAGMENTS) break
    if (!windows.some((window) => contains(window, range))) windows.push(around(text, range, windows))
  }
  return windows
    .sort(([a], [b]) => a - b)
    .map((window) => ({
      fragment: text.slice(...window),
      matches: ranges
        .filter((range) => contains(window, range))
        .slice(0, MAX_MATCHES)
        .map(([start, end]) => ({ text: text.slice(start, end), indices: [start - window[0], end - window[0]] }))
    }))
}

const contains = ([start, end]: TextRange, that: TextRange): boolean => start <= that[0] && that[1] <= end

/** Extends a range to whole lines: by at most `CONTEXT` characters on each side, and without overlapping `others`. */
const around = (text: string, [start, end]: TextRange, others: ReadonlyArray<TextRange>): TextRange => {
  const lineStart = text.lastIndexOf("\n", Math.max(0, start - 1)) + 1
  const feed = text.indexOf("\n", end)
  const lineEnd = feed === -1 ? text.length : text[feed - 1] === "\r" && feed > end ? feed - 1 : feed
  const before = Math.max(0, ...others.filter((other) => other[1] <= start).map((other) => other[1]))
  const behind = Math.min(text.length, ...others.filter((other) => other[0] >= end).map((other) => other[0]))
  return [
    wholeCharacter(text, Math.min(start, Math.max(lineStart, start - CONTEXT, before))),
    wholeCharacter(text, Math.max(end, Math.min(lineEnd, end + CONTEXT, behind)))
  ]
}

/** Returns an offset that is not inside a surrogate pair: moves it behind the pair if necessary. */
const wholeCharacter = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}
