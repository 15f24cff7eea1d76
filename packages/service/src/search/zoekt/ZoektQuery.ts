/**
 * Translates queries into zoekt's syntax. A condition without an exact equivalent (whole words, sizes, definitions,
 * ECMAScript regular expressions) becomes a wider condition, because the forge verifies all candidates.
 */
import type { CodeQuery, Expression, Filter, Place } from "@tongs/core/query/CodeQuery"
import { extensionsOf, fileNamesOf } from "../../git/values/Languages.ts"
import * as FileFilter from "../FileFilter.ts"
import * as Fold from "../text/Fold.ts"
import type * as Prefilter from "@tongs/core/query/Prefilter"
import * as RegexPrefilter from "@tongs/core/query/RegexPrefilter"
import * as Glob from "@tongs/core/text/Glob"

/** A repository of the forge that zoekt has indexed. */
export interface Repository {
  readonly fullName: string
  /** Name of the repository in zoekt. */
  readonly name: string
}

/** Selects the files of a repository, restricted to a branch if zoekt has indexed several. */
export const inRepository = (name: string, branch: string | undefined): string => {
  const files = within([{ fullName: "", name }])
  return `${files._tag === "Some" ? files.query : ""}${onBranch(branch)}`
}

/** Restricts to branches whose name contains `branch`, because zoekt cannot compare whole names. */
const onBranch = (branch: string | undefined) =>
  branch === undefined ? "" : ` branch:"${branch.replace(/["\\]/g, "\\$&")}"`

/** Files that a condition selects: all, none, or the files that match `query` in zoekt's syntax. */
type Files = { readonly _tag: "All" } | { readonly _tag: "None" } | { readonly _tag: "Some"; readonly query: string }

/**
 * Translates a query in the given repositories to zoekt's syntax, restricted to a branch for repositories with several.
 * Returns undefined if nothing can match.
 */
export const make = (
  query: CodeQuery,
  repositories: ReadonlyArray<Repository>,
  branch?: string
): string | undefined => {
  const files = intersect([within(repositories), translate(query, query.expression, repositories)])
  // By default, zoekt is case-sensitive if the query has capitals.
  return files._tag === "Some"
    ? `${files.query}${onBranch(branch)} case:${query.caseSensitive ? "yes" : "no"}`
    : undefined
}

const translate = (query: CodeQuery, self: Expression, repositories: ReadonlyArray<Repository>): Files => {
  const recur = (one: Expression) => translate(query, one, repositories)
  const fieldOf = (place: Place | undefined) => {
    if (place !== undefined) return place === "content" ? "content:" : "file:"
    return query.inContent ? (query.inPath ? "" : "content:") : "file:"
  }
  // Terms on paths (`file:`) ignore case:yes.
  const onPath = { ...query, caseSensitive: false }
  switch (self._tag) {
    case "And":
      return intersect(self.all.map(recur))
    case "Or":
      return unite(self.any.map(recur))
    case "Not":
      return isExact(query, self.not) ? complement(recur(self.not)) : all
    case "Text":
      return self.place === "path"
        ? path(literal(onPath, self.text))
        : atom(fieldOf(self.place), literal(query, self.text))
    case "Regex":
      return self.place === "path"
        ? fromPrefilter((text) => path(literal(onPath, text)), RegexPrefilter.make(self.source))
        : fromPrefilter((text) => atom(fieldOf(self.place), literal(query, text)), RegexPrefilter.make(self.source))
    case "Symbol":
      return atom("content:", literal(query, self.name))
    case "Filter":
      return fromFilter(self.filter, repositories)
  }
}

/** True if the translation of a condition is exact. Only exact translations may be negated. */
const isExact = (query: CodeQuery, self: Expression): boolean =>
  self._tag === "Text"
    ? !query.wholeWord || self.place === "path"
    : self._tag === "Filter" && self.filter.name !== "size" && self.filter.name !== "language"

const fromPrefilter = (make: (text: string) => Files, prefilter: Prefilter.Prefilter): Files => {
  switch (prefilter._tag) {
    case "Anything":
      return all
    case "Part":
      return make(prefilter.text)
    case "Name":
      return make(prefilter.name)
    case "All":
      return intersect(prefilter.all.map((one) => fromPrefilter(make, one)))
    case "Any":
      return unite(prefilter.any.map((one) => fromPrefilter(make, one)))
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
      if (filter.glob) {
        const source = Glob.source(filter.value, Glob.search)
        return source === undefined ? none : path(source)
      }
      if (!filter.value.startsWith("/")) return path(escape(filter.value))
      const folder = filter.value.replace(/^\/+|\/$/g, "")
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

/**
 * Creates an expression for a text. Zoekt ignores the case of ASCII letters only, so all other letters become classes.
 */
const literal = ({ caseSensitive }: CodeQuery, text: string) =>
  caseSensitive
    ? escape(text)
    : escape(text).replace(/[^\0-\x7f]/gu, (letter) => {
        const equal = equalLetters().get(Fold.fold(letter)) ?? letter
        return equal.length > letter.length ? `[${equal}]` : letter
      })

/** Letters of the basic multilingual plane by folded case. Created on first use. */
let letters: ReadonlyMap<string, string> | undefined

const equalLetters = (): ReadonlyMap<string, string> => {
  if (letters !== undefined) return letters
  const made = new Map<string, string>()
  for (let unit = 0x80; unit < 0x1_0000; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue
    const letter = String.fromCharCode(unit)
    const folded = Fold.fold(letter)
    made.set(folded, (made.get(folded) ?? "") + letter)
  }
  letters = made
  return made
}

/** Escapes text for Go's regular expressions. */
const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
