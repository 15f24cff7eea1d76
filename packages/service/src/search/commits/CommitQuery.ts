/** Prepares a query of the kind `commit` or `diff`. */
import type { CodeQuery, Expression, Filter, Leaf } from "@tongs/core/query/CodeQuery"
import * as Pattern from "../text/Pattern.ts"

/** A query and the dates that git reads in the `after:` and `before:` values, in seconds since 1970. */
export interface CommitQuery {
  readonly query: CodeQuery
  readonly dates: Readonly<Record<string, number>>
}

/** Subject of an expression: properties of the commit, changed paths, or text. */
export type Level = "commit" | "file" | "term"

/** Returns the level of an expression: the most specific level of the parts. */
export const levelOf = (self: Expression): Level => {
  switch (self._tag) {
    case "And":
      return highest(self.all)
    case "Or":
      return highest(self.any)
    case "Not":
      return levelOf(self.not)
    case "Filter":
      return fileFilters.has(self.filter.name) ? "file" : "commit"
    case "Symbol":
      return "term"
    case "Text":
    case "Regex":
      return self.place === "path" ? "file" : "term"
  }
}

const fileFilters: ReadonlySet<Filter["name"]> = new Set(["path", "filename", "extension", "language"])

const highest = (parts: ReadonlyArray<Expression>): Level => {
  const levels = parts.map(levelOf)
  return levels.includes("term") ? "term" : levels.includes("file") ? "file" : "commit"
}

/** Compiles a term. A symbol is searched as a word, because commits have no definitions. */
export const leafPattern = (query: CodeQuery, leaf: Leaf): Pattern.Pattern =>
  leaf._tag === "Symbol"
    ? Pattern.make({ ...query, wholeWord: leaf.exact || query.wholeWord }, { ...leaf, _tag: "Text", text: leaf.name })
    : Pattern.make(query, leaf)

/** Returns the source of a property's value that is a regular expression between slashes. */
export const regexSource = (value: string): string | undefined => /^\/(.+)\/$/su.exec(value)?.[1]

/** Returns the terms and filters of an expression. `isNegated` is true for terms and filters within a `Not`. */
const parts = (
  self: Expression,
  isNegated = false
): ReadonlyArray<{ readonly part: Leaf | Extract<Expression, { _tag: "Filter" }>; readonly isNegated: boolean }> => {
  switch (self._tag) {
    case "And":
      return self.all.flatMap((one) => parts(one, isNegated))
    case "Or":
      return self.any.flatMap((one) => parts(one, isNegated))
    case "Not":
      return parts(self.not, !isNegated)
    default:
      return [{ part: self, isNegated }]
  }
}

/** Returns the filters of an expression, negated or not. */
export const filters = (self: Expression): ReadonlyArray<Filter> =>
  parts(self).flatMap(({ part }) => (part._tag === "Filter" ? [part.filter] : []))

/** Returns the filters that are not negated. */
export const positiveFilters = (self: Expression): ReadonlyArray<Filter> =>
  parts(self).flatMap(({ isNegated, part }) => (part._tag === "Filter" && !isNegated ? [part.filter] : []))

/** True if a part of the expression is negated. */
export const hasNegation = (self: Expression): boolean => parts(self).some(({ isNegated }) => isNegated)

/** True if a part of the expression tests the paths of files. */
export const hasFileConditions = (self: Expression): boolean => parts(self).some(({ part }) => levelOf(part) === "file")

/** True if the query has a regular expression, which may run only in a process that can be killed. */
export const hasRegex = ({ expression }: CodeQuery): boolean =>
  parts(expression).some(({ part }) => {
    if (part._tag !== "Filter") return part._tag === "Regex"
    const { filter } = part
    const isProperty = filter.name === "author" || filter.name === "committer" || filter.name === "message"
    return isProperty && regexSource(filter.value) !== undefined
  })

/** Returns the values of `after:` and `before:`. */
export const dateValues = (self: Expression): ReadonlyArray<string> => [
  ...new Set(filters(self).flatMap((one) => (one.name === "after" || one.name === "before" ? [one.value] : [])))
]

/** Returns explanations of conditions in a query that commits do not support. */
export const notes = (query: CodeQuery): ReadonlyArray<string> => {
  const all = parts(query.expression).map(({ part }) => part)
  return [
    ...(all.some((part) => part._tag === "Filter" && part.filter.name === "size")
      ? ["size: applies to files only. The search of commits ignores it."]
      : []),
    ...(all.some((part) => part._tag === "Symbol")
      ? ["symbol: applies to files only. The search of commits finds the name as text."]
      : [])
  ]
}
