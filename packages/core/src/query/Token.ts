/** The words of a query, with their places. */
import type { Problem, Span } from "./Problem.ts"
import { NAMES, type Name } from "./Qualifier.ts"

export type Token =
  | { readonly _tag: "Operator"; readonly operator: "AND" | "OR" | "NOT"; readonly span: Span }
  | { readonly _tag: "Term"; readonly text: string; readonly phrase: boolean; readonly span: Span }
  | {
      readonly _tag: "Qualifier"
      readonly name: Name
      readonly value: string
      readonly not: boolean
      readonly span: Span
    }

/** The words of `text`, in order, and a problem for each quotation mark that nothing closes. */
export const tokens = (
  text: string
): { readonly tokens: ReadonlyArray<Token>; readonly problems: ReadonlyArray<Problem> } => {
  const problems: Array<Problem> = []
  const found: Array<Token> = []
  for (const match of text.matchAll(WORD)) {
    const [whole, minus, name, quoted, end, bare] = match
    const span: Span = { start: match.index, length: whole.length }
    if (quoted !== undefined && end === undefined) {
      problems.push({ ...span, message: "Close the quotation mark, or leave it out." })
    }
    const value = quoted?.replace(/\\(["\\])/g, "$1") ?? bare ?? ""
    const known = NAMES.find((known) => known === name?.toLowerCase())
    if (known !== undefined) {
      found.push({ _tag: "Qualifier", name: known, value, not: minus !== undefined, span })
    } else if (quoted === undefined && (value === "AND" || value === "OR" || value === "NOT")) {
      found.push({ _tag: "Operator", operator: value, span })
    } else {
      found.push({ _tag: "Term", text: value, phrase: quoted !== undefined, span })
    }
  }
  return { tokens: found, problems }
}

// A name counts only before one colon: `path::join` and `std::vector` are keywords, and so is `http://x`.
const WORD = new RegExp(
  String.raw`(?=\S)(?:(-)?(${NAMES.join("|")}):(?!:))?(?:"((?:[^"\\]|\\.)*)(?:(")|\\?$)|(\S*))`,
  "gis"
)
