import type { Leaf } from "@tongs/core/query/CodeQuery"
import * as Prefilter from "@tongs/core/query/Prefilter"
import * as RegexPrefilter from "@tongs/core/query/RegexPrefilter"

/** Returns the prefilter that a file must pass to match a leaf (a single condition) of the query. */
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
