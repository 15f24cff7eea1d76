/** Finds the nearest form in the search query language for qualifiers that only the code query language has. */
import * as CodeQueryTerm from "./CodeQueryTerm.ts"
import * as PathExpression from "./PathExpression.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { type QueryProblem, remove, write } from "./QueryProblem.ts"
import * as RepositoryName from "./RepositoryName.ts"
import type { Token } from "./Token.ts"

type QualifierToken = Extract<Token, { readonly _tag: "Qualifier" }>

/**
 * Returns the problem of a qualifier, with the nearest form in the search query language. Undefined for a supported
 * qualifier.
 */
export const problem = (token: QualifierToken): QueryProblem | undefined => {
  const { name, not, quoted, regex, value, written } = token
  const sign = not ? "-" : ""
  const part = `${sign}${written}:${value}`
  switch (name) {
    case "repo":
      return value === "" ? undefined : repository(token)
    case "path":
      if (regex) return paths(value, not)
      if (quoted || !PathPattern.isPattern(value)) return undefined
      return write("Patterns are not supported here.", signed(PathPattern.toQualifiers(value), not))
    case "user":
    case "org":
    case "filename":
    case "extension":
    case "size":
    case "in":
      return undefined
    case "language":
      if (written.toLowerCase() === name || value === "") return undefined
      return write("", `${sign}language:${quoted ? Qualifier.quote(value) : value}`)
    case "file": {
      if (PathExpression.isPredicate(value)) return remove(part, "this search does not know this property")
      return quoted || !/[\\^$.*+?()[\]{}|/]/.test(value)
        ? write("", `${sign}filename:${Qualifier.printValue(value)}`)
        : paths(value, not)
    }
    case "symbol": {
      const name = value === "" ? "the name" : word(value)
      const message = `Write ${name} without symbol:, which is not supported here. Definitions come first.`
      return { message, ...(value === "" ? {} : { replacement: term(name, not) }) }
    }
    case "kind":
      return remove(part, "this search does not know kinds of definitions. Definitions come first")
    case "content":
      return regex
        ? write("Regular expressions are not supported here.", term(word(value), not))
        : write("Words match the content.", term(CodeQueryTerm.isWord(value) ? value : Qualifier.quote(value), not))
    case "regex":
      return write("Regular expressions are not supported here.", term(word(value), not))
    case "case":
      return { message: "Remove case:yes or case:no. This search ignores case.", replacement: "" }
    case "word":
      return { message: "Remove word:yes or word:no. This search ranks whole words first.", replacement: "" }
    case "rev":
      return remove(part, "this search reads default branches only")
    case "type":
      return value.toLowerCase() === "path"
        ? write("", "in:path")
        : remove(part, "this search finds files by their content")
    case "author":
    case "committer":
    case "message":
    case "after":
    case "before":
      return remove(part, "this search finds files, not commits")
    case "count":
      return remove(part, "the number of results is not part of this query")
    case "context":
      return /^@[\w.-]+$/.test(value)
        ? write("Search contexts are not supported.", `${sign}user:${value.slice(1)}`)
        : remove(part, "search contexts are not supported")
    default:
      return remove(part, "this search does not have this qualifier")
  }
}

/** Returns the longest word of an expression, for a search without expressions. */
const word = (source: string): string => {
  if (CodeQueryTerm.isWord(source) && /^[\w$.:-]+$/.test(source)) return source
  const words = source.replace(/\\[a-z]/gi, " ").match(/\w+/g) ?? []
  return words.toSorted((a, b) => b.length - a.length)[0] ?? "name"
}

const repository = (token: QualifierToken): QueryProblem | undefined => {
  const { not, quoted, value, written } = token
  const sign = not ? "-" : ""
  const isPlain = quoted ? /^[^\s/]+\/[^\s/]+$/.test(value) : /^[\w.-]+\/[\w.-]+$/.test(value)
  if (isPlain && written.toLowerCase() === "repo") return undefined
  if (!quoted && PathExpression.isPredicate(value)) {
    return remove(`${sign}${written}:${value}`, "this search does not know this property")
  }
  const read = RepositoryName.parse(token)
  const name = "filter" in read ? read.filter.value : ""
  if ("filter" in read && read.filter.match === undefined) return write("", `${sign}repo:${Qualifier.printValue(name)}`)
  const owner = /^[\^*]?([\w-]+)(?:\\?\/|\*\*$)/.exec(name)?.[1] ?? /^(?:user:)?([\w.-]+)\/$/.exec(value)?.[1]
  if (owner !== undefined) {
    return {
      message: `Write ${sign}user:${owner} for all repositories of an owner.`,
      replacement: `${sign}user:${owner}`
    }
  }
  const form = `${sign}repo:owner/${/^\*\/([\w.-]+)$/.exec(name)?.[1] ?? "name"}`
  return { message: `Write the repository with its owner: ${form}.`, replacement: form }
}

const paths = (source: string, not: boolean): QueryProblem => {
  const form = PathExpression.toQualifiers(source)
  return form === ""
    ? { message: "Expressions for paths are not supported here. Remove this one.", replacement: "" }
    : write("Expressions for paths are not supported here.", signed(form, not))
}

const signed = (qualifiers: string, not: boolean): string =>
  not ? qualifiers.replace(/(?<=^| )(?=\w)/g, "-") : qualifiers

const term = (text: string, not: boolean): string => `${not ? "NOT " : ""}${text}`
