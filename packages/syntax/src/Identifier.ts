/**
 * The identifiers of a text: words that are no keywords, comments, strings or numbers. Text without known syntax can
 * contain further words.
 */
import * as SyntaxTokens from "./SyntaxTokens.ts"

/** An identifier, with the position in its line in UTF-16 units. */
export interface Identifier {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Returns true for files that have text or data rather than identifiers. */
export const isProse = (path: string): boolean => prose.test(path)

const prose = /\.(md|markdown|mdx|json5?|jsonc|ya?ml|html?|xml|svg|txt|toml|lock|csv)$/i

/** Returns true if a word is an identifier. */
export const isWord = (word: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(word)

/** Returns true if the token at `position` can be an identifier. Text without a token can. */
export const isCode = (tokens: SyntaxTokens.SyntaxTokens, position: number): boolean => {
  const [start = Infinity, , name = 0] = tokens.subarray(SyntaxTokens.firstEndingAfter(tokens, position))
  return start > position || !otherClasses.has(SyntaxTokens.syntaxClasses[name])
}

/** Returns the identifiers of a line that begins `offset` units into the text of the tokens. */
export const inLine = (line: string, tokens: SyntaxTokens.SyntaxTokens, offset: number): ReadonlyArray<Identifier> =>
  Array.from(line.matchAll(/[\p{L}\p{N}_$]+/gu), ({ 0: text, index: start }) => ({
    text,
    start,
    end: start + text.length
  })).filter(({ start, text }) => isWord(text) && isCode(tokens, offset + start))

const otherClasses: ReadonlySet<SyntaxTokens.SyntaxClass | undefined> = new Set([
  "comment",
  "keyword",
  "string",
  "number",
  "heading",
  "link"
])
