/** What the content of a file must hold for a query to match it. Where a match in the path suffices, that is nothing. */
import type { CodeQuery, Expression } from "@tongs/core/query/CodeQuery"
import * as Need from "./Need.ts"
import * as RegexNeed from "./RegexNeed.ts"

export const make = ({ expression, inContent, inPath }: CodeQuery): Need.Need => {
  const of = (one: Expression): Need.Need => {
    switch (one._tag) {
      case "And":
        return Need.all(one.all.map(of))
      case "Or":
        return Need.any(one.any.map(of))
      case "Text":
        return inPath || !inContent ? Need.anything : Need.part(one.text)
      case "Regex":
        return inPath || !inContent ? Need.anything : RegexNeed.make(one.source)
      case "Symbol":
        return one.exact ? { _tag: "Name", name: one.name } : Need.part(one.name)
      case "Not":
      case "Filter":
        return Need.anything
    }
  }
  return of(expression)
}
