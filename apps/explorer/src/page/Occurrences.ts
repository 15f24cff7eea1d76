/** Where the words of a query stand in a text. */
import * as Result from "effect/Result"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import type { Range } from "../Wire.ts"
import { escape } from "./file/Pattern.ts"

/** Gives the places of the query's words in a text, in any case; none for a query that is wrong. */
export type Finder = (text: string) => ReadonlyArray<Range>

export const finder = (q: string): Finder => {
  const parsed = SearchQuery.parse(q)
  const words = Result.isSuccess(parsed)
    ? parsed.success.any.flatMap((group) => group.filter((term) => !term.not).map((term) => term.text))
    : []
  if (words.length === 0) return () => []
  // Of two words at one place the longer is marked.
  const longest = words.sort((a, b) => b.length - a.length).map(escape)
  const pattern = new RegExp(longest.join("|"), "gi")
  return (text) => Array.from(text.matchAll(pattern), (match): Range => [match.index, match.index + match[0].length])
}
