/** What the content of a file must hold for a part of a query to match it. */
import type { Leaf } from "@tongs/core/query/CodeQuery"
import * as Need from "./Need.ts"
import * as RegexNeed from "./RegexNeed.ts"

export const make = (leaf: Leaf): Need.Need => {
  switch (leaf._tag) {
    case "Text":
      return Need.part(leaf.text)
    case "Regex":
      return RegexNeed.make(leaf.source)
    case "Symbol":
      return leaf.exact ? { _tag: "Name", name: leaf.name } : Need.part(leaf.name)
  }
}
