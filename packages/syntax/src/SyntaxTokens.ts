/** Syntax tokens packed into numbers, so that a hundred thousand tokens move between threads without a copy. */

/** Start, end and index in `syntaxClasses` of each token, in UTF-16 units, in order and without overlap. */
export type SyntaxTokens = Uint32Array<ArrayBuffer>

/** The classes of tokens. */
export const syntaxClasses = [
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
  "punctuation",
  "meta"
] as const

/** The class of a token. */
export type SyntaxClass = (typeof syntaxClasses)[number]

/** No tokens. */
export const empty: SyntaxTokens = new Uint32Array()

/** The count of numbers in one token. */
export const STRIDE = 3

/** Returns the offset in `tokens` of the first token that ends after `position`. */
export const firstEndingAfter = (tokens: SyntaxTokens, position: number): number => {
  let low = 0
  for (let high = tokens.length / STRIDE; low < high;) {
    const middle = (low + high) >> 1
    if ((tokens[middle * STRIDE + 1] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low * STRIDE
}
