/**
 * Translates queries into zoekt's syntax. Conditions without an exact equivalent (whole words, sizes, definitions,
 * ECMAScript regular expressions) become wider ones, because the forge verifies all candidates.
 */
import type { CodeQuery, Expression, Filter } from "@tongs/core/query/CodeQuery"
import { extensionsOf, fileNamesOf } from "../../git/Languages.ts"
import * as FileFilter from "../FileFilter.ts"
import * as Glob from "../text/Glob.ts"
import type * as Prefilter from "@tongs/core/query/Prefilter"
import * as RegexPrefilter from "@tongs/core/query/RegexPrefilter"

/** A repository of the forge that zoekt has indexed. */
export interface Repository {
  readonly fullName: string
  /** Name of the repository in zoekt. */
  readonly name: string
}

/** Files that a condition selects: all, none, or those that match `query` in zoekt's syntax. */
type Files = { readonly _tag: "All" } | { readonly _tag: "None" } | { readonly _tag: "Some"; readonly query: string }

/** Translates a query in the given repositories to zoekt's syntax. Returns undefined if nothing can match. */
export const make = (query: CodeQuery, repositories: ReadonlyArray<Repository>): string | undefined => {
  const files = intersect([within(repositories), translate(query, query.expression, repositories)])
  // By default, zoekt is case-sensitive if the query has capitals.
  return files._tag === "Some" ? `${files.query} case:${query.caseSensitive ? "yes" : "no"}` : undefined
}

const translate = (query: CodeQuery, self: Expression, repositories: ReadonlyArray<Repository>): Files => {
  const recur = (one: Expression) => translate(query, one, repositories)
  const field = query.inContent ? (query.inPath ? "" : "content:") : "file:"
  switch (self._tag) {
    case "And":
      return intersect(self.all.map(recur))
    case "Or":
      return unite(self.any.map(recur))
    case "Not":
      return isExact(query, self.not) ? complement(recur(self.not)) : all
    case "Text":
      return atom(field, query.caseSensitive ? escape(self.text) : foldCase(escape(self.text)))
    case "Regex":
      return fromPrefilter(field, RegexPrefilter.make(self.source))
    case "Symbol":
      return atom("content:", escape(self.name))
    case "Filter":
      return fromFilter(self.filter, repositories)
  }
}

/** True if the translation of a condition is exact. Only exact translations may be negated. */
const isExact = (query: CodeQuery, self: Expression): boolean =>
  self._tag === "Text"
    ? !query.wholeWord
    : self._tag === "Filter" && self.filter.name !== "size" && self.filter.name !== "language"

const fromPrefilter = (field: string, prefilter: Prefilter.Prefilter): Files => {
  switch (prefilter._tag) {
    case "Anything":
      return all
    case "Part":
      return atom(field, escape(prefilter.text))
    case "Name":
      return atom(field, escape(prefilter.name))
    case "All":
      return intersect(prefilter.all.map((one) => fromPrefilter(field, one)))
    case "Any":
      return unite(prefilter.any.map((one) => fromPrefilter(field, one)))
  }
}

const fromFilter = (filter: Filter, repositories: ReadonlyArray<Repository>): Files => {
  switch (filter.name) {
    case "repo":
    case "user":
    case "org": {
      const admits = FileFilter.make(filter)
      return within(repositories.filter(({ fullName }) => admits({ fullName, path: "", size: 0 })))
    }
    case "filename":
      return path(`${escape(filter.value)}[^/]*$`)
    case "extension":
      return path(`\\.${escape(filter.value)}$`)
    case "language": {
      const extensions = extensionsOf(filter.value).map((extension) => `\\.${escape(extension)}`)
      const names = fileNamesOf(filter.value).map((name) => `(?:^|/)${escape(name)}`)
      return extensions.length + names.length === 0 ? all : path(`(?:${[...extensions, ...names].join("|")})$`)
    }
    case "path": {
      if (filter.glob) return path(Glob.toRegExp(filter.value).source)
      const folder = filter.value.replace(/^\/|\/$/g, "")
      return path(folder === "" ? "^[^/]*$" : `^${escape(folder)}(?:/|$)`)
    }
    case "size":
    case "author":
    case "committer":
    case "message":
    case "after":
    case "before":
      return all
  }
}

const all: Files = { _tag: "All" }
const none: Files = { _tag: "None" }

const intersect = (parts: ReadonlyArray<Files>): Files => {
  if (parts.some((part) => part._tag === "None")) return none
  const queries = parts.flatMap((part) => (part._tag === "Some" ? [part.query] : []))
  return queries.length === 0 ? all : { _tag: "Some", query: queries.join(" ") }
}

const unite = (parts: ReadonlyArray<Files>): Files => {
  if (parts.some((part) => part._tag === "All")) return all
  const queries = parts.flatMap((part) => (part._tag === "Some" ? [part.query] : []))
  return queries.length === 0 ? none : { _tag: "Some", query: group(queries.join(" or ")) }
}

const complement = (files: Files): Files => {
  if (files._tag === "Some") return { _tag: "Some", query: `-${group(files.query)}` }
  return files._tag === "All" ? none : all
}

// Zoekt parses parentheses as grouping only beside white space.
const group = (query: string) => `( ${query} )`

const within = (repositories: ReadonlyArray<Repository>): Files =>
  repositories.length === 0 ? none : atom("repo:", `^(?:${repositories.map(({ name }) => escape(name)).join("|")})$`)

/** Creates a condition on the path. Paths always match case-insensitively. */
const path = (regex: string): Files => atom("file:", `(?i)${regex}`)

/** Creates a condition: a field with a quoted regular expression. Escapes quotation marks and backslashes. */
const atom = (field: string, regex: string): Files => ({
  _tag: "Some",
  query: `${field}"${regex.replace(/["\\]/g, "\\$&")}"`
})

/** Makes non-ASCII letters of an expression case-insensitive, because zoekt ignores the case of ASCII letters only. */
const foldCase = (regex: string) =>
  regex.replace(/[^\0-\x7f]/gu, (letter) => {
    const cases = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter(
      (one) => [...one].length === 1
    )
    return cases.length === 1 ? letter : `[${cases.join("")}]`
  })

/** Escapes text for Go's regular expressions. */
const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
