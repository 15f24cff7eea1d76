import type { Leaf } from "@tongs/core/query/CodeQuery"
import * as Prefilter from "./Prefilter.ts"
import * as RegexPrefilter from "./RegexPrefilter.ts"

/** Gives the prefilter that the content of a file must pass for a leaf of the query to match it. */
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
