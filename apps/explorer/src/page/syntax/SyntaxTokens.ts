/** Syntax tokens packed into numbers, so that a hundred thousand of them move between threads without a copy. */
import { lowerBound } from "../model/lowerBound.ts"

/** Start, end and index in `SYNTAX_CLASSES` of each token, in UTF-16 units, in order and without overlap. */
export type SyntaxTokens = Uint32Array<ArrayBuffer>

/** The token classes of the style sheet (`tok-…`). */
export const SYNTAX_CLASSES = [
  "comment",
  "keyword",
  "string",
  "number",
  "type",
  "function",
  "definition",
  "property",
  "heading",
  "link",
  "punctuation"
]

/** No tokens. */
export const empty: SyntaxTokens = new Uint32Array()

/** The count of numbers in one token. */
export const STRIDE = 3

/** The offset in `tokens` of the first token that ends after `position`. */
export const firstEndingAfter = (tokens: SyntaxTokens, position: number): number =>
  STRIDE * lowerBound(tokens.length / STRIDE, (index) => (tokens[index * STRIDE + 1] ?? 0) <= position)
