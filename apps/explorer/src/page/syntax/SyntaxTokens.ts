/**
 * The syntax of a text as numbers: start, end and the index in `NAMES` of each token, in order and apart. So a hundred
 * thousand of them cross from one thread to another without a copy.
 */
export type SyntaxTokens = Uint32Array<ArrayBuffer>

/** The classes of the style sheet (`tok-…`): few, so that code stays calm. */
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

export const empty: SyntaxTokens = new Uint32Array()

/** Numbers of one token. */
export const STRIDE = 3

/** Where the first token begins that ends after `position`: they are many, so it is looked up. */
export const firstEndingAfter = (tokens: SyntaxTokens, position: number): number => {
  let low = 0
  for (let high = tokens.length / STRIDE; low < high;) {
    const middle = (low + high) >> 1
    if ((tokens[middle * STRIDE + 1] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low * STRIDE
}
