/** Headings above runs of lines: the commit that last changed the lines. */
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Times from "../text/Times.ts"

/** The commit of a line. */
export interface Heading {
  readonly commit?: string
  readonly heading?: string
}

/**
 * Returns a function from line numbers, in ascending order, to headings. The first heading of each commit has the
 * details.
 */
export const make = (ranges: ReadonlyArray<BlameRange>, from: number, now: number): ((line: number) => Heading) => {
  const described = new Set<string>()
  let index = ranges.findIndex(({ to }) => to >= from)
  let current: Heading = {}
  let describedIndex = -1
  return (line) => {
    while (index >= 0 && (ranges[index]?.to ?? Infinity) < line) index++
    const range = ranges[index]
    if (range === undefined || range.from > line) return {}
    if (describedIndex !== index) {
      const commit = AbbreviatedId.of(range.commit)
      const heading = described.has(range.commit) ? commit : `${commit} ${Times.short(range.date, now)} ${range.author}`
      described.add(range.commit)
      describedIndex = index
      current = { commit, heading }
    }
    return current
  }
}
