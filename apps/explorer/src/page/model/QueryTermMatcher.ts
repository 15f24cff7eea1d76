/** Where the words of a query stand in a text. */
import * as RegExp from "effect/RegExp"
import * as Result from "effect/Result"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type { Range } from "../../Wire.ts"

/** Gives the places of the query's words in a text, in any case; none for a query that is wrong. */
export type QueryTermMatcher = (text: string) => ReadonlyArray<Range>

export const make = (q: string): QueryTermMatcher => {
  const parsed = SearchQuery.parse(q)
  const words = Result.isSuccess(parsed)
    ? parsed.success.any.flatMap((group) => group.filter((term) => !term.not).map((term) => term.text))
    : []
  if (words.length === 0) return () => []
  // Of two words at one place the longer is marked.
  const longest = words.sort((a, b) => b.length - a.length).map(RegExp.escape)
  const pattern = new RegExp.RegExp(longest.join("|"), "gi")
  return (text) => Array.from(text.matchAll(pattern), (match): Range => [match.index, match.index + match[0].length])
}
