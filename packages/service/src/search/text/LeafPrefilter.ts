/** What the content of a file must hold for a part of a query to match it. */
import type { Leaf } from "@tongs/core/query/CodeQuery"
import * as Prefilter from "./Prefilter.ts"
import * as RegexPrefilter from "./RegexPrefilter.ts"

export const make = (leaf: Leaf): Prefilter.Prefilter => {
  switch (leaf._tag) {
    case "Text":
      return Prefilter.substring(leaf.text)
    case "Regex":
      return RegexPrefilter.make(leaf.source)
    case "Symbol":
      return leaf.exact ? { _tag: "Name", name: leaf.name } : Prefilter.substring(leaf.name)
  }
}
