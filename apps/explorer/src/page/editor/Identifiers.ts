/** The identifiers of the text in the editor. */
import type { EditorState } from "@codemirror/state"
import * as Identifier from "@tongs/syntax/Identifier"
import type * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import * as SyntaxDecorations from "./SyntaxDecorations.ts"
import type { TextRange } from "./TextRanges.ts"

/** Returns the identifier that touches `position`. */
export const at = (state: EditorState, position: number): TextRange | undefined => {
  const word = state.wordAt(position)
  if (word === null || !Identifier.isWord(state.sliceDoc(word.from, word.to))) return undefined
  return Identifier.isCode(SyntaxDecorations.tokens.of(state), word.from) ? word : undefined
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
    if (isWholeWord(text, at, at + name.length) && Identifier.isCode(tokens, offset + at)) found.push(offset + at)
  }
  return found
}

const wordCharacter = /[\p{L}\p{N}_$]/u

const isWholeWord = (text: string, from: number, to: number): boolean =>
  !wordCharacter.test(text.charAt(from - 1)) && !wordCharacter.test(text.charAt(to))
