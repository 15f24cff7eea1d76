import type { CodeQuery, Expression } from "@tongs/core/query/CodeQuery"

/** Global regular expression with a `lastIndex`: reset the index before each text. */
export type Pattern = RegExp

type Settings = Pick<CodeQuery, "caseSensitive" | "wholeWord">

/** A text or regular expression of a query. */
type Term = Extract<Expression, { readonly _tag: "Text" | "Regex" }>

/** Returns the places of a term: the term's own or, without one, the places of the query. */
export const places = (
  { inContent, inPath }: Pick<CodeQuery, "inContent" | "inPath">,
  { place }: Term
): Pick<CodeQuery, "inContent" | "inPath"> =>
  place === undefined ? { inContent, inPath } : { inContent: place === "content", inPath: place === "path" }

/**
 * Compiles a text or regular expression of a query with the query's case and word settings. Ignores the settings for
 * paths (`file:`), as filters do.
 */
export const make = (query: Settings, leaf: Term): Pattern => {
  const isPath = leaf.place === "path"
  const caseSensitive = query.caseSensitive && !isPath
  const wholeWord = query.wholeWord && !isPath
  const source = leaf._tag === "Text" ? RegExp.escape(leaf.text) : `(?:${leaf.source})`
  return new RegExp(
    wholeWord ? `${NOT_BEHIND_WORD}${source}${NOT_BEFORE_WORD}` : source,
    caseSensitive ? "gmu" : "gimu"
  )
}

/** True if a character is part of a word: a letter, mark, digit or connector such as `_`. */
export const isWord = (character: string | undefined): boolean => character !== undefined && word.test(character)

const word = /[\p{L}\p{M}\p{N}\p{Pc}]/u
const NOT_BEHIND_WORD = String.raw`(?<![\p{L}\p{M}\p{N}\p{Pc}])`
const NOT_BEFORE_WORD = String.raw`(?![\p{L}\p{M}\p{N}\p{Pc}])`

/** True if the pattern matches anywhere in the text. */
export const test = (pattern: Pattern, text: string): boolean => {
  pattern.lastIndex = 0
  return pattern.test(text)
}

/**
 * True if a regular expression must run line by line. Otherwise the expression might match across a line break, or
 * match the empty text after the last line.
 */
export const needsLines = (pattern: Pattern, source: string): boolean =>
  /\\[^wdSbB\W]|\[\^|\(\?[a-z]*-?[a-z]*s|[\0-\x1f]/.test(source.replace(lettersAndDigits, "")) || test(pattern, "")

/** Classes of characters without line breaks. */
const lettersAndDigits = /\\p\{(?:Alpha|L|Lu|Ll|M|Nd|Pc|Join_C)\}/g
