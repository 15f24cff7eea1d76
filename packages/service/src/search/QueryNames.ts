import { type CodeQuery, type Expression, type Leaf, positiveLeaves } from "@tongs/core/query/CodeQuery"

/**
 * Returns the texts of a query to compare with names of files and definitions: each text, and last all of them joined
 * (`ratelimiter` for `rate limiter`). Leaves out negated texts.
 */
export const names = ({ expression }: CodeQuery): ReadonlyArray<string> => {
  const texts = positiveLeaves(expression).flatMap(nameOf)
  return [...new Set([...texts, texts.join("").replace(/\s/g, "")].filter((text) => text !== ""))]
}

/** Returns a pattern for names that contain a text or symbol of the query, or undefined if no name can. */
export const definitions = ({ expression }: CodeQuery): RegExp | undefined => {
  // Names contain no white space.
  const named = leaves(expression)
    .flatMap(nameOf)
    .filter((text) => !/\s/.test(text))
  return named.length === 0 ? undefined : new RegExp(named.map((text) => RegExp.escape(text)).join("|"), "iu")
}

/** True if a query has a `symbol:` term. */
export const hasSymbolQualifier = ({ expression }: CodeQuery): boolean =>
  leaves(expression).some(({ _tag }) => _tag === "Symbol")

/** True if a query has a regular expression, which can take unbounded time. */
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

/** Returns all leaves, including negated ones. */
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
