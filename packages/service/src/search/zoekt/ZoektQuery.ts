/**
 * A query as zoekt reads it. What zoekt cannot say, or says otherwise than we do (whole words, sizes, definitions,
 * regular expressions of another dialect), asks for more than matches: what it finds is looked at here once more.
 */
import type { CodeQuery, Expression, Filter } from "@tongs/core/query/CodeQuery"
import { extensionsOf, namesOf } from "../../git/Languages.ts"
import * as FileFilter from "../FileFilter.ts"
import * as Glob from "../text/Glob.ts"
import type * as Prefilter from "../text/Prefilter.ts"
import * as RegexPrefilter from "../text/RegexPrefilter.ts"

/** A repository in the two worlds. */
export interface Repository {
  readonly fullName: string
  /** As zoekt calls it. */
  readonly name: string
}

/** Which files: all, none, or those that a query in zoekt's syntax finds. */
type Files = { readonly _tag: "All" } | { readonly _tag: "None" } | { readonly _tag: "Some"; readonly query: string }

/** The query within the repositories, or undefined where nothing can match. */
export const make = (query: CodeQuery, repositories: ReadonlyArray<Repository>): string | undefined => {
  const files = intersect([within(repositories), translate(query, query.expression, repositories)])
  // Without it zoekt takes capitals for a wish that they matter.
  return files._tag === "Some" ? `${files.query} case:${query.caseSensitive ? "yes" : "no"}` : undefined
}

const translate = (query: CodeQuery, self: Expression, repositories: ReadonlyArray<Repository>): Files => {
  const of = (one: Expression) => translate(query, one, repositories)
  const field = query.inContent ? (query.inPath ? "" : "content:") : "file:"
  switch (self._tag) {
    case "And":
      return intersect(self.all.map(of))
    case "Or":
      return unite(self.any.map(of))
    case "Not":
      return isExact(query, self.not) ? complement(of(self.not)) : all
    case "Text":
      return atom(field, query.caseSensitive ? escape(self.text) : inAnyCase(escape(self.text)))
    case "Regex":
      return holding(field, RegexPrefilter.make(self.source))
    case "Symbol":
      return atom("content:", escape(self.name))
    case "Filter":
      return passing(self.filter, repositories)
  }
}

/** Whether the translation finds exactly what it stands for, so that the rest is what it does not. */
const isExact = (query: CodeQuery, self: Expression): boolean =>
  self._tag === "Text"
    ? !query.wholeWord
    : self._tag === "Filter" && self.filter.name !== "size" && self.filter.name !== "language"

const holding = (field: string, need: Prefilter.Prefilter): Files => {
  switch (need._tag) {
    case "Anything":
      return all
    case "Part":
      return atom(field, escape(need.text))
    case "Name":
      return atom(field, escape(need.name))
    case "All":
      return intersect(need.all.map((one) => holding(field, one)))
    case "Any":
      return unite(need.any.map((one) => holding(field, one)))
  }
}

const passing = (filter: Filter, repositories: ReadonlyArray<Repository>): Files => {
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
      const names = namesOf(filter.value).map((name) => `(?:^|/)${escape(name)}`)
      return extensions.length + names.length === 0 ? all : path(`(?:${[...extensions, ...names].join("|")})$`)
    }
    case "path": {
      if (filter.glob) return path(Glob.toRegExp(filter.value).source)
      const folder = filter.value.replace(/^\/|\/$/g, "")
      return path(folder === "" ? "^[^/]*$" : `^${escape(folder)}(?:/|$)`)
    }
    case "size":
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

// A parenthesis groups only where white space follows in what it opens.
const group = (query: string) => `( ${query} )`

const within = (repositories: ReadonlyArray<Repository>): Files =>
  repositories.length === 0 ? none : atom("repo:", `^(?:${repositories.map(({ name }) => escape(name)).join("|")})$`)

/** Paths are compared in any case, whatever the query says of its texts. */
const path = (regex: string): Files => atom("file:", `(?i)${regex}`)

/** One condition: a regular expression between quotation marks, in which a backslash stands for what follows it. */
const atom = (field: string, regex: string): Files => ({
  _tag: "Some",
  query: `${field}"${regex.replace(/["\\]/g, "\\$&")}"`
})

/** Zoekt itself folds ASCII alone. */
const inAnyCase = (regex: string) =>
  regex.replace(/[^\0-\x7f]/gu, (letter) => {
    const cases = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter(
      (one) => [...one].length === 1
    )
    return cases.length === 1 ? letter : `[${cases.join("")}]`
  })

/** A text as a regular expression of Go. */
const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
