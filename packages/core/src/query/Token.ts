/**
 * Splits queries of both query languages into tokens. Accepts any text, in linear time; the parsers report unsupported
 * syntax.
 */
import type { Diagnostic, Span } from "./Diagnostic.ts"
import { type CodeName, type ForeignName, type Name, pattern, resolve } from "./QualifierName.ts"

/** Maximum length of a regular expression in characters. */
export const MAX_REGEX = 1_000

/** A token of a query, and the span. */
export type Token = { readonly span: Span } & (
  | { readonly _tag: "Operator"; readonly operator: "AND" | "OR" | "NOT" }
  | { readonly _tag: "Open"; readonly not: boolean }
  | { readonly _tag: "Close" }
  /** A word, or a phrase in quotation marks. `not` is true after a minus. */
  | { readonly _tag: "Term"; readonly text: string; readonly phrase: boolean; readonly not: boolean }
  | { readonly _tag: "Regex"; readonly source: string; readonly not: boolean }
  | {
      readonly _tag: "Qualifier"
      readonly name: Name | CodeName | ForeignName
      /** The name in the text, which can be an alias: `lang`. */
      readonly written: string
      /** The value without quotation marks, or the source of a regular expression without slashes. */
      readonly value: string
      readonly quoted: boolean
      readonly regex: boolean
      readonly not: boolean
    }
)

/** Splits a query into tokens. `problems` has a diagnostic for an unclosed quotation mark. */
export const tokenize = (
  text: string
): { readonly tokens: ReadonlyArray<Token>; readonly problems: ReadonlyArray<Diagnostic> } => {
  const problems: Array<Diagnostic> = []
  const found: Array<Token> = []
  let at = skip(space, text, 0)
  while (at < text.length) {
    const start = at
    const spanTo = (end: number): Span => {
      at = end
      return { start, length: end - start }
    }
    const not = test(minus, text, at)
    if (not) at++
    const written = match(pattern, text, at)?.[0].slice(0, -1) ?? ""
    const name = resolve(written)
    if (name !== undefined) at += written.length + 1
    const quoted = match(quotedPattern, text, at)
    const regex = name === undefined ? regexEnd(text, at) : valueRegexEnd(name, text, at)
    if (quoted !== undefined) {
      const span = spanTo(at + quoted[0].length)
      const value = (quoted[1] ?? "").replace(/\\(["\\])/g, "$1")
      if (quoted[2] === undefined) {
        problems.push({ ...span, message: "Close the quotation mark, or remove it." })
      }
      found.push(
        name === undefined
          ? { _tag: "Term", text: value, phrase: true, not, span }
          : { _tag: "Qualifier", name, written, value, quoted: true, regex: false, not, span }
      )
    } else if (name !== undefined) {
      const from = at
      const canHavePredicate = name === "repo" || name === "file" || name === "rev"
      const predicate = canHavePredicate ? match(predicatePattern, text, at)?.[0].length : undefined
      const span = spanTo(regex ?? (predicate === undefined ? wordEnd(text, at) : at + predicate))
      const isRegex = regex !== undefined && !commitNames.has(name)
      const value = isRegex ? text.slice(from + 1, at - 1) : text.slice(from, at)
      found.push({ _tag: "Qualifier", name, written, value, quoted: false, regex: isRegex, not, span })
    } else if (text[at] === "(") {
      found.push({ _tag: "Open", not, span: spanTo(at + 1) })
    } else if (text[at] === ")") {
      found.push({ _tag: "Close", span: spanTo(at + 1) })
    } else if (regex !== undefined) {
      const source = text.slice(at + 1, regex - 1)
      found.push({ _tag: "Regex", source, not, span: spanTo(regex) })
    } else {
      const word = text.slice(at, wordEnd(text, at))
      const span = spanTo(at + word.length)
      found.push(
        !not && (word === "AND" || word === "OR" || word === "NOT")
          ? { _tag: "Operator", operator: word, span }
          : { _tag: "Term", text: word, phrase: false, not, span }
      )
    }
    at = skip(space, text, at)
  }
  return { tokens: found, problems }
}

// A minus negates a word, phrase, group or regular expression; `->next` and `--flag` are words.
const minus = /-(?=[\p{L}\p{N}_$"(/])/uy
// Sourcegraph's predicates can contain white space: `repo:has.path(a b)`.
const predicatePattern = /(?:has|contains|at)\.[\w.]*\((?:[^()]|\([^()]*\))*\)/y
const quotedPattern = /"((?:[^"\\]|\\.)*)(?:(")|\\?$)/sy
const space = /\s*/y

const match = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
const test = (pattern: RegExp, text: string, at: number): boolean => match(pattern, text, at) !== undefined
const skip = (pattern: RegExp, text: string, at: number): number => at + (match(pattern, text, at)?.[0].length ?? 0)

/**
 * Returns the end of a word: white space, or a closing parenthesis that was not opened in the word (`f(x)` is one
 * word).
 */
export const wordEnd = (text: string, start: number): number => {
  let depth = 0
  let at = start
  for (; at < text.length && !test(white, text, at); at++) {
    if (text[at] === "(") depth++
    else if (text[at] === ")" && --depth < 0) break
  }
  return at
}
const white = /\s/y

/**
 * Returns the end of the regular expression at `start`, after the closing slash. Undefined for words such as `/usr/bin`
 * and `//`.
 */
const regexEnd = (text: string, start: number): number | undefined => {
  if (text[start] !== "/" || text[start + 1] === "/") return undefined
  let inClass = false
  const limit = Math.min(text.length, start + MAX_REGEX + 2)
  for (let at = start + 1; at < limit && text[at] !== "\n" && text[at] !== "\r"; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === "[") inClass = true
    else if (text[at] === "]") inClass = false
    else if (text[at] === "/" && !inClass) return test(boundary, text, at + 1) ? at + 1 : undefined
  }
  return undefined
}
const boundary = /[\s)]|$/y

/** Returns the end of a regular expression as a value. For paths, `/src/` without special characters is a folder. */
const valueRegexEnd = (name: Name | CodeName | ForeignName, text: string, at: number): number | undefined => {
  const canBeRegex = name === "repo" || name === "content" || name === "symbol" || commitNames.has(name)
  const end = canBeRegex ? regexEnd(text, at) : undefined
  if (name !== "path" && name !== "file") return end
  const pathEnd = regexEnd(text, at)
  return pathEnd !== undefined && pathRegex.test(text.slice(at + 1, pathEnd - 1)) ? pathEnd : undefined
}
// The values of these filters keep the slashes of a regular expression.
const commitNames: ReadonlySet<string> = new Set(["author", "committer", "message"] satisfies ReadonlyArray<CodeName>)
const pathRegex = /^[^\s]*(?:[\\^$+()[\]|]|\.\*)[^\s]*$/

/** Returns whether a word starts like a regular expression and cannot be a path. */
export const isUnclosedRegex = (word: string): boolean => /^\/(?![/*])\S*[\\[(+?|^$]/.test(word)
