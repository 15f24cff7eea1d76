/** Finds the terms of a query in text, for forges without an index. */
import * as Result from "effect/Result"
import * as SearchQuery from "@tongs/core/query/SearchQuery"
import { escapeRegExp } from "./escapeRegExp.ts"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"

/** Returns the matches in a text, in order. */
export type QueryTermMatcher = (text: string) => ReadonlyArray<TextRange>

/** A case-insensitive matcher for the terms that a query does not negate. An invalid query matches nothing. */
export const make = (q: string): QueryTermMatcher => {
  const parsed = SearchQuery.parse(q)
  const terms = Result.isSuccess(parsed)
    ? parsed.success.any.flatMap((group) => group.filter((term) => !term.not).map((term) => term.text))
    : []
  if (terms.length === 0) return () => []
  // Longest first, because an alternation takes the first branch that matches.
  const longestFirst = terms.sort((a, b) => b.length - a.length).map(escapeRegExp)
  const pattern = new RegExp(longestFirst.join("|"), "gi")
  return (text) =>
    Array.from(text.matchAll(pattern), (match): TextRange => [match.index, match.index + match[0].length])
}
