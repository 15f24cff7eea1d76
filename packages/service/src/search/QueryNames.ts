/** The names in a query. */
import { type CodeQuery, type Expression, type Leaf, positiveLeaves } from "@tongs/core/query/CodeQuery"

/** The texts that a file or a definition may be called after: each, and all of them as one name (`rate limiter`). */
export const names = ({ expression }: CodeQuery): ReadonlyArray<string> => {
  const texts = positiveLeaves(expression).flatMap(nameOf)
  return [...new Set([...texts, texts.join("").replace(/\s/g, "")].filter((text) => text !== ""))]
}

/** Names of definitions that have to do with a query; undefined where none can. */
export const definitions = ({ expression }: CodeQuery): RegExp | undefined => {
  // No name has a space in it, so no text that has one is part of a name.
  const named = leaves(expression)
    .flatMap(nameOf)
    .filter((text) => !/\s/.test(text))
  return named.length === 0 ? undefined : new RegExp(named.map((text) => RegExp.escape(text)).join("|"), "iu")
}

/** Whether a query asks for definitions. */
export const hasSymbol = ({ expression }: CodeQuery): boolean =>
  leaves(expression).some(({ _tag }) => _tag === "Symbol")

/** Whether a query has a regular expression, which may take any time. */
export const hasRegex = ({ expression }: CodeQuery): boolean => leaves(expression).some(({ _tag }) => _tag === "Regex")

const nameOf = (leaf: Leaf): ReadonlyArray<string> => {
  switch (leaf._tag) {
    case "Text":
      return [leaf.text]
    case "Symbol":
      return [leaf.name]
    case "Regex":
      return []
  }
}

/** All, also those that must not match. */
const leaves = (self: Expression): ReadonlyArray<Leaf> => {
  switch (self._tag) {
    case "And":
      return self.all.flatMap(leaves)
    case "Or":
      return self.any.flatMap(leaves)
    case "Not":
      return leaves(self.not)
    case "Filter":
      return []
    default:
      return [self]
  }
}
