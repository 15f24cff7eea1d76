/**
 * The syntax tree of a code search query: the result of the parsers of both query languages, and the input of the code
 * index.
 */
import { escape } from "effect/RegExp"
import type { Span } from "./Diagnostic.ts"

/** A code search query. */
export interface CodeQuery {
  readonly expression: Expression
  /** True for a case-sensitive search (`case:yes`). */
  readonly caseSensitive: boolean
  /** True to match whole words (`word:yes`). */
  readonly wholeWord: boolean
  /** True to search for text in the content of files. */
  readonly inContent: boolean
  /** True to search for text in the paths of files. */
  readonly inPath: boolean
  /** Kind of the results (`type:`): files, commits by message, or commits by added and removed lines. */
  readonly kind: "file" | "commit" | "diff"
  /** Kinds of definitions (`kind:`), of which a match must be the name. Empty for all matches. */
  readonly symbolKinds: ReadonlyArray<string>
  /** Revisions to search (`rev:`): names, ids or patterns of branches and tags. Empty for the default branch. */
  readonly revisions: ReadonlyArray<string>
  /** Maximum number of results that the query requests (`count:`), `Infinity` for `count:all`. */
  readonly count: number | undefined
}

/** A node of the syntax tree. Spans are positions in the text of the query. */
export type Expression =
  | { readonly _tag: "And"; readonly all: ReadonlyArray<Expression>; readonly span: Span }
  | { readonly _tag: "Or"; readonly any: ReadonlyArray<Expression>; readonly span: Span }
  | { readonly _tag: "Not"; readonly not: Expression; readonly span: Span }
  | Leaf
  | { readonly _tag: "Filter"; readonly filter: Filter; readonly span: Span }

/** A term: text, a regular expression or a symbol. */
export type Leaf =
  | { readonly _tag: "Text"; readonly text: string; readonly place?: Place; readonly span: Span }
  /** Source of an ECMAScript regular expression, without the slashes. Matches within one line. */
  | { readonly _tag: "Regex"; readonly source: string; readonly place?: Place; readonly span: Span }
  /** A symbol definition whose name contains `name`, or equals `name` if `exact` is true. */
  | { readonly _tag: "Symbol"; readonly name: string; readonly exact: boolean; readonly span: Span }

/** Where a term matches, instead of the places of the query: `content:` or a path (`path:` with an expression). */
export type Place = "content" | "path"

/** Restricts results by a property of the file. Names and paths are compared case-insensitively. */
export type Filter =
  | { readonly name: "user" | "org" | "filename" | "extension" | "language"; readonly value: string }
  /**
   * Full name of a repository, by default. `match` means that the value is a pattern or ECMAScript regular expression.
   */
  | { readonly name: "repo"; readonly value: string; readonly match?: "pattern" | "regex" }
  /** Property of a commit. Only for the kinds `commit` and `diff`. */
  | { readonly name: "author" | "committer" | "message"; readonly value: string }
  /** Date that git can parse: `2024-01-31`, `2.weeks.ago`. Only for the kinds `commit` and `diff`. */
  | { readonly name: "after" | "before"; readonly value: string }
  /**
   * A part of the path. With a leading slash, a folder or file from the root. If `glob` is true, a pattern of `*`,
   * `**`, `?` and `{a,b}` for the whole path.
   */
  | { readonly name: "path"; readonly value: string; readonly glob: boolean }
  /** Size range in bytes, both bounds inclusive. */
  | { readonly name: "size"; readonly min?: number; readonly max?: number }

/** Options of a query without qualifiers. */
export const defaultOptions: Omit<CodeQuery, "expression"> = {
  caseSensitive: false,
  wholeWord: false,
  inContent: true,
  inPath: true,
  kind: "file",
  symbolKinds: [],
  revisions: [],
  count: undefined
}

/** Returns the conjunction of `parts`, which must not be empty, with filters last. Returns a single part unchanged. */
export const and = (parts: ReadonlyArray<Expression>): Expression => {
  const flat = parts.flatMap((part) => (part._tag === "And" ? part.all : [part]))
  const all = [...flat.filter((part) => !isRestriction(part)), ...flat.filter(isRestriction)]
  return single(all) ?? { _tag: "And", all, span: coveringSpan(parts) }
}

/** Returns the query limited to a repository, `owner/name`. */
export const within = (self: CodeQuery, repository: string): CodeQuery => {
  const filter: Expression = {
    _tag: "Filter",
    filter: { name: "repo", value: repository },
    span: coveringSpan([self.expression])
  }
  return { ...self, expression: and([self.expression, filter]) }
}

/** Returns the disjunction of `parts`, which must not be empty. Returns a single part unchanged. */
export const or = (parts: ReadonlyArray<Expression>): Expression => {
  const any = parts.flatMap((part) => (part._tag === "Or" ? part.any : [part]))
  return single(any) ?? { _tag: "Or", any, span: coveringSpan(parts) }
}

/** Returns the negation of an expression. Removes an existing negation. */
export const not = (part: Expression, span: Span): Expression =>
  part._tag === "Not" ? part.not : { _tag: "Not", not: part, span }

/**
 * Returns whether an expression restricts paths: `file:test`. Such an expression, like a filter, matches no text in a
 * file.
 */
export const isPathExpression = (self: Expression): boolean =>
  (self._tag === "Text" || self._tag === "Regex") && self.place === "path"

/** Returns the terms that are not negated, in the order of the text. Leaves out expressions for paths (`file:`). */
export const positiveLeaves = (self: Expression): ReadonlyArray<Leaf> => {
  switch (self._tag) {
    case "And":
      return self.all.flatMap(positiveLeaves)
    case "Or":
      return self.any.flatMap(positiveLeaves)
    case "Not":
    case "Filter":
      return []
    default:
      return isPathExpression(self) ? [] : [self]
  }
}

/** Returns whether an expression has a filter or an expression for paths, negated or not. */
export const hasFilter = (self: Expression): boolean => {
  switch (self._tag) {
    case "And":
      return self.all.some(hasFilter)
    case "Or":
      return self.any.some(hasFilter)
    case "Not":
      return hasFilter(self.not)
    default:
      return self._tag === "Filter" || isPathExpression(self)
  }
}

/**
 * A regular expression (`g`, `u`) that matches the terms of a query within a line. Undefined for a query without terms.
 *
 * **Gotchas**
 *
 * A regular expression from a user may take exponential time: run the search where it can be terminated.
 */
export const matchPattern = (self: CodeQuery): RegExp | undefined => {
  const sources = positiveLeaves(self.expression).map((leaf) => {
    if (leaf._tag === "Regex") return `(?:${leaf.source})`
    return escape(leaf._tag === "Text" ? leaf.text : leaf.name)
  })
  if (sources.length === 0) return undefined
  // The regular expression engine takes the first alternative that matches, so longer alternatives must come first.
  const any = sources.sort((a, b) => b.length - a.length).join("|")
  const word = self.wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])` : any
  return new RegExp(word, self.caseSensitive ? "gu" : "giu")
}

/** Returns the span from the start of the first part to the end of the last. */
export const coveringSpan = (parts: ReadonlyArray<{ readonly span: Span }>): Span => {
  const start = Math.min(...parts.map(({ span }) => span.start))
  const end = Math.max(...parts.map(({ span }) => span.start + span.length))
  return parts.length === 0 ? { start: 0, length: 0 } : { start, length: end - start }
}

/** Returns whether the expression only filters files and has no terms. */
export const isRestriction = (self: Expression): boolean => {
  switch (self._tag) {
    case "Filter":
      return true
    case "Not":
      return isRestriction(self.not)
    case "And":
      return self.all.every(isRestriction)
    case "Or":
      return self.any.every(isRestriction)
    default:
      return isPathExpression(self)
  }
}

const single = (parts: ReadonlyArray<Expression>): Expression | undefined => (parts.length === 1 ? parts[0] : undefined)
