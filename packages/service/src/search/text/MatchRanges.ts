/** Ranges of the matches in a text, in UTF-16 code units. */
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type { Pattern } from "./Pattern.ts"

/** Limits of a search for ranges. */
export interface Limits {
  /** Maximum number of ranges. A search always finds the first match. */
  readonly max: number
  /** True to add the ranges of empty matches. */
  readonly withEmpty: boolean
}

/** Returns whether the pattern matches. Adds the ranges of the matches, moved by `offset`. */
export const find = (
  pattern: Pattern,
  text: string,
  ranges: Array<TextRange>,
  { max, withEmpty }: Limits,
  offset = 0
): boolean => {
  pattern.lastIndex = 0
  let isFound = false
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    isFound = true
    const { length } = match[0]
    // Advances by a whole character: inside a surrogate pair, the pattern would match at the same index again.
    if (length === 0) pattern.lastIndex += (text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1
    if (length > 0 || withEmpty) ranges.push([offset + match.index, offset + match.index + length])
    if (ranges.length >= max) break
  }
  return isFound
}

/** Sorts ranges and drops every range that overlaps an earlier one. With the same start, the longest comes first. */
export const tidy = (ranges: Array<TextRange>): ReadonlyArray<TextRange> => {
  ranges.sort(([a, endOfA], [b, endOfB]) => a - b || endOfB - endOfA)
  let end = -1
  return ranges.filter((range) => {
    // An empty match right after another match does not count.
    if (range[0] < end || (range[0] === end && range[1] === end)) return false
    end = range[1]
    return true
  })
}
