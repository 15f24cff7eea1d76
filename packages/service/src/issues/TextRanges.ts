/** The ranges of a text that match the words of a query, for highlighting. */
import { type Condition, positiveTexts } from "@tongs/core/query/items/ItemQuery"
import * as Words from "../base/Words.ts"

/** Returns the ranges in UTF-16 units, ordered and without overlaps. */
export const find = <Filter>(text: string, condition: Condition<Filter>): ReadonlyArray<readonly [number, number]> => {
  const phrases = positiveTexts(condition).map(Words.of)
  const all = Words.find(text)
  const ranges: Array<readonly [number, number]> = []
  for (let at = 0; at < all.length; at++) {
    const longest = phrases
      .filter((phrase) => phrase.length > 0 && phrase.every((word, index) => all[at + index]?.word === word))
      .reduce((most, { length }) => Math.max(most, length), 0)
    const [first, last] = [all[at], all[at + longest - 1]]
    if (longest === 0 || first === undefined || last === undefined) continue
    ranges.push([first.start, last.end])
    at += longest - 1
  }
  return ranges
}
