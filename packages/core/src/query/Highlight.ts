/** Classifies the parts of a query for syntax highlighting. Accepts both query languages, and invalid queries. */
import type { Span } from "./Diagnostic.ts"
import { tokenize } from "./Token.ts"

/** A classified range of a query. */
export interface HighlightedPart {
  readonly span: Span
  readonly kind: "word" | "phrase" | "regex" | "operator" | "parenthesis" | "minus" | "qualifier" | "value"
}

/** Returns the parts in the order of the text, without overlaps and white space. A qualifier includes the colon. */
export const classify = (text: string): ReadonlyArray<HighlightedPart> =>
  tokenize(text).tokens.flatMap((token): ReadonlyArray<HighlightedPart> => {
    const { length, start } = token.span
    const part = (kind: HighlightedPart["kind"], from: number, to: number): ReadonlyArray<HighlightedPart> =>
      from === to ? [] : [{ span: { start: from, length: to - from }, kind }]
    const end = start + length
    const after = "not" in token && token.not ? start + 1 : start
    const minus = part("minus", start, after)
    switch (token._tag) {
      case "Operator":
        return part("operator", start, end)
      case "Open":
      case "Close":
        return [...minus, ...part("parenthesis", after, end)]
      case "Term":
        return [...minus, ...part(token.phrase ? "phrase" : "word", after, end)]
      case "Regex":
        return [...minus, ...part("regex", after, end)]
      case "Qualifier": {
        const value = after + token.written.length + 1
        return [...minus, ...part("qualifier", after, value), ...part("value", value, end)]
      }
    }
  })
