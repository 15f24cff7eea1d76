/** A text or a regular expression of a query, ready to be looked for. */
import type { CodeQuery, Expression } from "@tongs/core/query/CodeQuery"

/** Global: it remembers where it is. */
export type Pattern = RegExp

type Settings = Pick<CodeQuery, "caseSensitive" | "wholeWord">

export const make = (
  { caseSensitive, wholeWord }: Settings,
  leaf: Extract<Expression, { readonly _tag: "Text" | "Regex" }>
): Pattern => {
  const source = leaf._tag === "Text" ? RegExp.escape(leaf.text) : `(?:${leaf.source})`
  return new RegExp(wholeWord ? `${notBehindWord}${source}${notBeforeWord}` : source, caseSensitive ? "gmu" : "gimu")
}

/** Whether a character is part of a word. */
export const isWord = (character: string | undefined): boolean => character !== undefined && word.test(character)

const word = /[\p{L}\p{M}\p{N}\p{Pc}]/u
const notBehindWord = String.raw`(?<![\p{L}\p{M}\p{N}\p{Pc}])`
const notBeforeWord = String.raw`(?![\p{L}\p{M}\p{N}\p{Pc}])`

export const test = (pattern: Pattern, text: string): boolean => {
  pattern.lastIndex = 0
  return pattern.test(text)
}

/**
 * Whether a regular expression is to be looked for line by line: it might match more than one line of a text at once, or
 * match nothing, such as the end of the text after the last line.
 */
export const needsLines = (pattern: Pattern, source: string): boolean =>
  /\\[^wdSbB\W]|\[\^|\(\?[a-z]*-?[a-z]*s|[\0-\x1f]/.test(source) || test(pattern, "")
