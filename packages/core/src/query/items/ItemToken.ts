/** Splits queries for items into tokens. Accepts any text, in linear time. */
import type { Diagnostic, Span } from "../Diagnostic.ts"
import { wordEnd } from "../Token.ts"
import { pattern as qualifier } from "./ItemQualifier.ts"

/** A token of a query, and the span. `not` is true after a minus. */
export type ItemToken = { readonly span: Span } & (
  | { readonly _tag: "Operator"; readonly operator: "AND" | "OR" | "NOT" }
  | { readonly _tag: "Open"; readonly not: boolean }
  | { readonly _tag: "Close" }
  /** A word, or a phrase in quotation marks. */
  | { readonly _tag: "Text"; readonly text: string; readonly not: boolean }
  /** Several values are alternatives: `label:bug,"help wanted"`. */
  | { readonly _tag: "Qualifier"; readonly name: string; readonly values: ReadonlyArray<string>; readonly not: boolean }
)

/** Splits a query into tokens. `lists` has the names of qualifiers with several values. `problems` has a diagnostic for an unclosed quotation mark. */
export const tokenize = (
  text: string,
  lists: ReadonlySet<string>
): { readonly tokens: ReadonlyArray<ItemToken>; readonly problems: ReadonlyArray<Diagnostic> } => {
  const problems: Array<Diagnostic> = []
  const tokens: Array<ItemToken> = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }
  /** Reads a phrase, or a word up to `end`. */
  const value = (end: (from: number) => number): string => {
    const start = at
    const phrase = take(quoted)
    if (phrase === undefined) {
      at = end(at)
      return text.slice(start, at)
    }
    if (phrase[2] === undefined) {
      problems.push({ start, length: at - start, message: "Close the quotation mark, or remove it." })
    }
    return (phrase[1] ?? "").replace(/\\(["\\])/g, "$1")
  }
  const toSpace = (from: number) => wordEnd(text, from)
  const toComma = (from: number) => {
    const word = text.slice(from, wordEnd(text, from))
    return from + (word.includes(",") ? word.indexOf(",") : word.length)
  }
  take(space)
  while (at < text.length) {
    const start = at
    const not = take(minus) !== undefined
    const token = (): DistributiveOmit<ItemToken, "span"> => {
      if (take(open) !== undefined) return { _tag: "Open", not }
      if (take(close) !== undefined) return { _tag: "Close" }
      const name = take(qualifier)?.[1]?.toLowerCase()
      if (name !== undefined) {
        const values = [value(lists.has(name) ? toComma : toSpace)]
        while (lists.has(name) && take(comma) !== undefined) values.push(value(toComma))
        return { _tag: "Qualifier", name, values, not }
      }
      const operator = not ? undefined : take(operators)?.[0]
      if (operator === "AND" || operator === "OR" || operator === "NOT") return { _tag: "Operator", operator }
      return { _tag: "Text", text: value(toSpace), not }
    }
    const found = token()
    tokens.push({ ...found, span: { start, length: at - start } })
    take(space)
  }
  return { tokens, problems }
}

type DistributiveOmit<A, Key extends PropertyKey> = A extends unknown ? Omit<A, Key> : never

// A minus negates a word, phrase or group; `->next` and `--flag` are words.
const minus = /-(?=[\p{L}\p{N}_"(])/uy
const space = /\s*/y
const open = /\(/y
const close = /\)/y
const comma = /,/y
const quoted = /"((?:[^"\\]|\\.)*)(?:(")|\\?$)/sy
const operators = /(?:AND|OR|NOT)(?=[\s()]|$)/y
