/**
 * The toggles of the search box. Each toggle is a part of the query, so that URLs and saved searches include toggles.
 */
import * as Result from "effect/Result"
import { defaultOptions, type Leaf } from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import { tokenize, type Token } from "@tongs/core/query/Token"
import { escapeRegExp } from "../model/escapeRegExp.ts"

export type Toggle = "case" | "word" | "regex"

/** A query and the position of the caret. */
export interface EditedQuery {
  readonly text: string
  readonly caret: number
}

/** Returns whether a toggle is on. `regex` is on if all terms of the query are regular expressions. */
export const isOn = (q: string, toggle: Toggle): boolean => {
  const { tokens } = tokenize(q)
  if (toggle !== "regex") return tokens.some((token) => isOption(token, toggle) && token.value.toLowerCase() === "yes")
  const terms = tokens.filter(isTerm)
  return terms.length > 0 && terms.every((token) => token._tag === "Regex" || isEmptyRegex(token))
}

/** Switches a toggle, and keeps the rest of the query unchanged. */
export const flip = (q: string, toggle: Toggle): EditedQuery =>
  toggle === "regex" ? flipRegex(q) : isOn(q, toggle) ? withoutOption(q, toggle) : withOption(q, toggle)

type Option = Extract<Token, { readonly _tag: "Qualifier" }>
type Term = Extract<Token, { readonly _tag: "Term" | "Regex" }>

const isOption = (token: Token, name: "case" | "word"): token is Option =>
  token._tag === "Qualifier" && token.name === name

const isTerm = (token: Token): token is Term => token._tag === "Term" || token._tag === "Regex"

const withoutOption = (q: string, name: "case" | "word"): EditedQuery => {
  const text = replace(q, (token) => (isOption(token, name) ? "" : undefined))
  return { text, caret: text.length }
}

/** Adds the option at the end. The caret stays before the option, so that the user can continue to type. */
const withOption = (q: string, name: "case" | "word"): EditedQuery => {
  const { text } = withoutOption(q, name)
  return { text: `${text} ${name}:yes`, caret: text.length }
}

const flipRegex = (q: string): EditedQuery => {
  const isRegex = isOn(q, "regex")
  const edited = isRegex ? replace(q, textOf) : toRegexes(q)
  if (isRegex || edited !== q || tokenize(q).tokens.some(isTerm)) return { text: edited, caret: edited.length }
  // Without terms, the caret goes between the slashes of a new expression.
  const before = q.trim() === "" ? "" : `${q.trimEnd()} `
  return { text: `${before}//`, caret: before.length + 1 }
}

/** Two slashes without an expression. */
const isEmptyRegex = (token: Token): boolean => token._tag === "Term" && !token.phrase && token.text === "//"

const textOf = (token: Token): string | undefined => {
  if (isEmptyRegex(token)) return ""
  if (token._tag !== "Regex") return undefined
  const plain = token.source.replace(/\\([^\p{L}\p{N}])/gu, "$1")
  // Turns an expression without special characters into the equivalent text. Other expressions stay the same.
  const text = escapeRegExp(plain).replaceAll("/", "\\/") === token.source ? plain : token.source.replaceAll("\\/", "/")
  return sign(token) + print({ _tag: "Text", text, span: token.span })
}

/**
 * Makes every term a regular expression. Neighbouring words become one expression if any word has special characters:
 * `int \w+`. Otherwise the words stay separate, with the same meaning as before.
 */
const toRegexes = (q: string): string => {
  let edited = q
  for (const run of runs(tokenize(q).tokens).toReversed()) {
    const [first] = run
    const last = run.at(-1)
    if (first === undefined || last === undefined) continue
    const start = first.span.start + sign(first).length
    const end = last.span.start + last.span.length
    const written = q.slice(start, end)
    const isWhole = run.length > 1 && special.test(written)
    const text =
      run.length === 1 || isWhole
        ? regexOf(first, written)
        : run.map((token) => sign(token) + regexOf(token, token.text)).join(" ")
    edited = edited.slice(0, start) + text + edited.slice(end)
  }
  return edited
}

const special = /[\\^$*+?[\]{}|]|\(.*\)/

type Word = Extract<Token, { readonly _tag: "Term" }>

/** The terms in order; neighbouring words without a minus are one run. */
const runs = (tokens: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Word>> => {
  const runs: Array<Array<Word>> = []
  let canJoin = false
  for (const token of tokens) {
    const isWord = token._tag === "Term" && !token.phrase && !token.not
    if (token._tag === "Term") {
      if (isWord && canJoin) runs.at(-1)?.push(token)
      else runs.push([token])
    }
    canJoin = isWord
  }
  return runs
}

/** A valid expression stays unchanged. The text of a phrase is meant literally. */
const regexOf = (token: Word, written: string): string => {
  const source = token.phrase ? escapeRegExp(token.text) : written
  return valid(source) ?? valid(escapeRegExp(source)) ?? written
}

/** Returns the text of an expression in a query, or undefined for an invalid expression. */
const valid = (source: string): string | undefined => {
  try {
    const text = print({ _tag: "Regex", source, span: { start: 0, length: 0 } })
    return Result.isSuccess(CodeQueryParser.parse(text)) && tokenize(text).tokens[0]?._tag === "Regex"
      ? text
      : undefined
  } catch {
    return undefined
  }
}

const print = (leaf: Leaf): string => CodeQueryParser.print({ ...defaultOptions, expression: leaf })

const sign = ({ not }: Term): string => (not ? "-" : "")

/** Replaces tokens by text, and removes tokens that become empty. */
const replace = (q: string, replacement: (token: Token) => string | undefined): string => {
  let edited = q
  for (const token of tokenize(q).tokens.toReversed()) {
    const text = replacement(token)
    if (text === undefined) continue
    const { length, start } = token.span
    const [before, after] = [edited.slice(0, start), edited.slice(start + length)]
    edited =
      text === ""
        ? [before.trimEnd(), after.trimStart()].filter((part) => part !== "").join(" ")
        : before + text + after
  }
  return edited
}
