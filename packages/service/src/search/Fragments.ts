/** The pieces of a text in which matches stand, as a search shows them (spec part 3 §2.11). */
import type { TextRange } from "@tongs/core/contract/CodeSearch"
import * as Pattern from "./text/Pattern.ts"

export interface Fragment {
  readonly fragment: string
  readonly matches: ReadonlyArray<{ readonly text: string; readonly indices: ReadonlyArray<number> }>
}

/** Fragments of one text, matches in one fragment, and characters of context before and behind a match. */
const maxFragments = 2
const maxMatches = 20
const context = 80

/** Matches among which the best are looked for. */
const maxLookedAt = 200

/** Of matches in order, without overlaps. Offsets are in UTF-16 code units. */
export const make = (text: string, ranges: ReadonlyArray<TextRange>): ReadonlyArray<Fragment> => {
  const isWhole = ([start, end]: TextRange) => !Pattern.isWord(text[start - 1]) && !Pattern.isWord(text[end])
  const looked = ranges.slice(0, maxLookedAt)
  const windows: Array<TextRange> = []
  for (const range of [...looked.filter(isWhole), ...looked]) {
    if (windows.length === maxFragments) break
    if (!windows.some((window) => contains(window, range))) windows.push(around(text, range, windows))
  }
  return windows
    .sort(([a], [b]) => a - b)
    .map((window) => ({
      fragment: text.slice(...window),
      matches: ranges
        .filter((range) => contains(window, range))
        .slice(0, maxMatches)
        .map(([start, end]) => ({ text: text.slice(start, end), indices: [start - window[0], end - window[0]] }))
    }))
}

const contains = ([start, end]: TextRange, that: TextRange): boolean => start <= that[0] && that[1] <= end

/** Grows a range to whole lines, as far as the context goes and no other window is. */
const around = (text: string, [start, end]: TextRange, others: ReadonlyArray<TextRange>): TextRange => {
  const lineStart = text.lastIndexOf("\n", Math.max(0, start - 1)) + 1
  const feed = text.indexOf("\n", end)
  const lineEnd = feed === -1 ? text.length : text[feed - 1] === "\r" && feed > end ? feed - 1 : feed
  const before = Math.max(0, ...others.filter((other) => other[1] <= start).map((other) => other[1]))
  const behind = Math.min(text.length, ...others.filter((other) => other[0] >= end).map((other) => other[0]))
  return [
    wholeCharacter(text, Math.min(start, Math.max(lineStart, start - context, before))),
    wholeCharacter(text, Math.max(end, Math.min(lineEnd, end + context, behind)))
  ]
}

/** Not between the halves of a pair of surrogates. */
const wholeCharacter = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}
