import {
  type CodeQuery,
  type Expression,
  isPathExpression,
  type Leaf,
  positiveLeaves
} from "@tongs/core/query/CodeQuery"
import type * as Prefilter from "@tongs/core/query/Prefilter"
import * as RegexPrefilter from "@tongs/core/query/RegexPrefilter"

/** Maximum number of names from one regular expression. */
const MAX_PER_REGEX = 6

/** Names that a query searches, to compare with the names of files and definitions. */
export interface QueryNames {
  /** Names of the terms, without keywords such as `struct`. */
  readonly parts: ReadonlyArray<string>
  /** All parts joined: `ratelimiter` for `rate limiter`. Empty for a query without parts. */
  readonly joined: string
}

/** Returns the names that a query searches. Leaves out negated terms. */
export const make = ({ expression }: CodeQuery): QueryNames => {
  const all = [...new Set(positiveLeaves(expression).flatMap(nameOf))].filter((name) => name !== "")
  const parts = withoutKeywords(all)
  return { parts, joined: parts.join("").replace(/\s/g, "") }
}

/** Returns each name of a query, and last all names joined. */
export const names = (query: CodeQuery): ReadonlyArray<string> => {
  const { joined, parts } = make(query)
  return [...new Set([...parts, joined])].filter((name) => name !== "")
}

/** Returns a pattern for names that contain a name or symbol of the query, or undefined if no name can. */
export const definitions = ({ expression, symbolKinds }: CodeQuery): RegExp | undefined => {
  // A query without terms lists all definitions of the requested kinds.
  if (symbolKinds.length > 0 && positiveLeaves(expression).length === 0) return /(?:)/u
  // Names contain no white space.
  const named = leaves(expression)
    .flatMap((leaf) => withoutKeywords(nameOf(leaf)))
    .filter((text) => text !== "" && !/\s/.test(text))
  return named.length === 0 ? undefined : new RegExp(named.map((text) => RegExp.escape(text)).join("|"), "iu")
}

/** True if definitions decide whether a file matches: for `symbol:` and `kind:`. */
export const needsDefinitions = ({ expression, symbolKinds }: CodeQuery): boolean =>
  symbolKinds.length > 0 || leaves(expression).some(({ _tag }) => _tag === "Symbol")

/** True if a query has a regular expression, also for paths, which can take unbounded time. */
export const hasRegex = ({ expression }: CodeQuery): boolean => leaves(expression).some(({ _tag }) => _tag === "Regex")

const nameOf = (leaf: Leaf): ReadonlyArray<string> => {
  if (isPathExpression(leaf)) return []
  switch (leaf._tag) {
    case "Text":
      return ofText(leaf.text)
    case "Symbol":
      return [leaf.name]
    case "Regex":
      return identifiers(textsOf(RegexPrefilter.make(leaf.source))).slice(0, MAX_PER_REGEX)
  }
}

/** Returns the name in a text such as `mutex_lock(` or `struct inode {`, or the text if it has several words. */
const ofText = (text: string): ReadonlyArray<string> => {
  const found = withoutKeywords(identifiers([text]))
  const [only] = found
  return only !== undefined && found.length === 1 && !/[-.+]/.test(text) ? found : [text]
}

/** Returns the texts that matches contain. */
const textsOf = (self: Prefilter.Prefilter): ReadonlyArray<string> => {
  switch (self._tag) {
    case "Anything":
      return []
    case "Part":
      return [self.text]
    case "Name":
      return [self.name]
    case "All":
      return self.all.flatMap(textsOf)
    case "Any":
      return self.any.flatMap(textsOf)
  }
}

const identifiers = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => text.match(/[\p{L}_$][\p{L}\p{M}\p{N}_$]+/gu) ?? []))
]

const keywords = new Set(
  (
    "abstract async await bool char class const def define enum export extern fn for from func function if impl import " +
    "include inline int interface let long mod namespace new pub public private protected return self static struct " +
    "template this trait type typedef union unsigned use var virtual void"
  ).split(" ")
)

/** Drops keywords, unless there is nothing else. */
const withoutKeywords = (all: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rest = all.filter((name) => !keywords.has(name))
  return rest.length === 0 ? all : rest
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
