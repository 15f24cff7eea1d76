/** Explains code search queries: errors with a position, and words that probably have another intended meaning. */
import type * as Result from "effect/Result"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"
import * as QueryCorrection from "@tongs/core/query/QueryCorrection"
import { codeNames, qualifierNames } from "@tongs/core/query/QualifierName"
import * as QuotedText from "../text/QuotedText.ts"
import { sanitizeText } from "../text/SafeText.ts"

/** The query language of a forge: `code` has regular expressions, path patterns and definitions; `basic` does not. */
export type Language = "code" | "basic"

/** Maximum number of characters of a query's part to quote. */
const MAX_QUOTED = 60

/** Maximum number of characters of a corrected query to show. */
const MAX_CORRECTED = 300

/** Maximum number of hints. */
const MAX_HINTS = 3

/** Names that agents know from other searches, and the qualifier with this meaning. */
const aliases: Readonly<Record<string, string>> = {
  def: "symbol",
  dir: "path",
  directory: "path",
  ext: "extension",
  filepath: "path",
  folder: "path",
  function: "symbol",
  owner: "user",
  repository: "repo"
}

/** Formats the errors of a query, with the corrected query if there is one. */
export const describeErrors = (
  query: string,
  errors: ReadonlyArray<Diagnostic>,
  parse: (text: string) => Result.Result<unknown, ReadonlyArray<Diagnostic>>
): string => {
  const corrected = QueryCorrection.correct(query, parse)
  const described = errors
    .map(({ length, message, start }) => {
      const part = query.slice(start, start + length)
      return `At ${start + 1}${part === "" ? "" : ` ${quote(part)}`}: ${sanitizeText(message)}`
    })
    .join(" ")
  const isShort = corrected !== undefined && corrected.length <= MAX_CORRECTED
  return `Invalid query. ${described}${isShort ? ` Corrected query: ${sanitizeText(corrected)}` : ""}`
}

/** Returns hints about words that the forge searches as text, and for a search without results about the whole query. */
export const hintsFor = (query: CodeQuery.CodeQuery, language: Language, isEmpty: boolean): ReadonlyArray<string> => {
  const leaves = CodeQuery.positiveLeaves(query.expression)
  const words = leaves.flatMap((leaf) => (leaf._tag === "Text" ? [leaf.text] : []))
  const hints = words.flatMap(
    (word) => qualifierHint(word, language, isEmpty) ?? (isEmpty ? syntaxHint(word, language) : [])
  )
  return [...hints, ...(isEmpty && hints.length === 0 ? [emptyHint(query, leaves.length)] : [])].slice(0, MAX_HINTS)
}

const qualifierHint = (word: string, language: Language, isEmpty: boolean): string | undefined => {
  const [, name = "", value = ""] = /^([a-z_-]{2,20}):(?![:/])(\S+)$/i.exec(word) ?? []
  if (value === "") return undefined
  const names = language === "code" ? [...qualifierNames, ...codeNames] : qualifierNames
  const lower = name.toLowerCase()
  const meant = names.find((one) => one === aliases[lower]) ?? names.find((one) => isTypo(one, lower))
  if (meant !== undefined)
    return `${quote(word)} is searched as text. For the qualifier, write ${quote(`${meant}:${value}`)}.`
  return isEmpty ? `${quote(word)} is searched as text. Qualifiers are ${names.join(", ")}.` : undefined
}

const syntaxHint = (word: string, language: Language): ReadonlyArray<string> => {
  if (/(?:^|\/)\*|\*\.\w+$/.test(word)) {
    const write = language === "code" ? ` For a path pattern, write ${quote(`path:${word}`)}.` : ""
    return [`${quote(word)} is searched as text.${write}`]
  }
  return language === "code" && /\.[*+]|\\[bdsw]|\w\|\w|\[\^?\w/.test(word)
    ? [`${quote(word)} is searched as text. For a regular expression, write ${quote(`/${word}/`)}.`]
    : []
}

const emptyHint = ({ caseSensitive, expression, wholeWord }: CodeQuery.CodeQuery, leaves: number): string => {
  if (caseSensitive || wholeWord) return "Remove case:yes and word:yes."
  if (leaves > 1) return "A file must contain all words. Remove one, or put OR between them."
  return CodeQuery.hasFilter(expression)
    ? "Remove a qualifier."
    : "Search for a part of the word: it matches longer names too."
}

const quote = (text: string): string => QuotedText.quote(text, MAX_QUOTED)

/** Returns true if one changed, missing, additional or swapped letter makes the names equal. */
const isTypo = (name: string, written: string): boolean => {
  if (Math.abs(name.length - written.length) > 1 || name.length < 4) return false
  let start = 0
  while (start < name.length && name[start] === written[start]) start++
  const [rest, other] = [name.slice(start), written.slice(start)]
  return (
    rest.slice(1) === other.slice(1) ||
    rest === other.slice(1) ||
    rest.slice(1) === other ||
    (rest.slice(2) === other.slice(2) && rest[0] === other[1] && rest[1] === other[0])
  )
}
