/**
 * The identifiers of a text: words that are no keywords, comments, strings or numbers. Text without known syntax can
 * contain further words.
 */
import type { EditorState } from "@codemirror/state"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import * as SyntaxDecorations from "./SyntaxDecorations.ts"
import type { TextRange } from "./TextRanges.ts"

/** Returns the identifier that touches `position`. */
export const at = (state: EditorState, position: number): TextRange | undefined => {
  const word = state.wordAt(position)
  if (word === null || !identifier.test(state.sliceDoc(word.from, word.to))) return undefined
  return isCode(SyntaxDecorations.tokens.of(state), word.from) ? word : undefined
}

/** Returns the offsets of `name` as a whole word in `text`, which begins `offset` units into the highlighted text. */
export const occurrences = (
  text: string,
  name: string,
  tokens: SyntaxTokens.SyntaxTokens,
  offset = 0
): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (isWholeWord(text, at, at + name.length) && isCode(tokens, offset + at)) found.push(offset + at)
  }
  return found
}

/** True if the token at `position` can be an identifier. Text without a token can. */
export const isCode = (tokens: SyntaxTokens.SyntaxTokens, position: number): boolean => {
  const [start = Infinity, , name = 0] = tokens.subarray(SyntaxTokens.firstEndingAfter(tokens, position))
  return start > position || !otherClasses.has(SyntaxTokens.syntaxClasses[name])
}

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u

const wordCharacter = /[\p{L}\p{N}_$]/u

const isWholeWord = (text: string, from: number, to: number): boolean =>
  !wordCharacter.test(text.charAt(from - 1)) && !wordCharacter.test(text.charAt(to))

const otherClasses: ReadonlySet<SyntaxTokens.SyntaxClass | undefined> = new Set([
  "comment",
  "keyword",
  "string",
  "number",
  "heading",
  "link"
])
