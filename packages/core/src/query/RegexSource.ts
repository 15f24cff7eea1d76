/** Checks regular expressions from a query. Compiles but never runs an expression, which might not terminate. */
import * as Result from "effect/Result"
import { MAX_REGEX } from "./Token.ts"
import type { QueryProblem } from "./QueryProblem.ts"
import * as RegexLines from "./RegexLines.ts"
import * as RipgrepPattern from "./RipgrepPattern.ts"

/**
 * Returns the ECMAScript form of an expression. Translates the syntax of ripgrep, for example `(?i)x`, `\p{Han}` and
 * `[[:alpha:]]`, if ECMAScript lacks this syntax. An expression that is invalid in both syntaxes remains unchanged.
 */
export const translate = (source: string): string => {
  if (source.length > MAX_REGEX || syntaxError(source) === undefined) return source
  const inline = /^\(\?i\)(.+)$/s.exec(source)?.[1]
  if (inline !== undefined && syntaxError(inline) === undefined) return `(?i:${inline})`
  const translated = Result.getOrUndefined(RipgrepPattern.parse(source))?.source
  return translated === undefined || syntaxError(translated) !== undefined ? source : translated
}

/** Returns the error in a regular expression. The correction is a query of expressions between slashes. */
export const problem = (source: string): QueryProblem | undefined => {
  const error = syntaxError(source)
  if (error !== undefined) return { message: error }
  if (!RegexLines.needsLineFeed(source)) return undefined
  const message = "A regular expression matches within one line. Remove \\n"
  const lines = RegexLines.split(source)?.map((line) => `/${line}/`)
  if (lines === undefined) return { message: `${message}.` }
  const all = lines.length > 1 ? `(${lines.join(" ")})` : lines.join("")
  return { message: `${message}: write ${all}.`, replacement: all }
}

/**
 * Returns the ECMAScript form of an expression in the syntax of RE2, which Sourcegraph and zoekt use: without `(?i)`
 * and escapes that ECMAScript does not have, such as `\-`. Undefined for an invalid expression.
 */
export const fromRe2 = (source: string): string | undefined => {
  const plain = source.replace(/^\(\?i\)/, "")
  return [plain, plain.replace(/\\([-_@#%&,:;<=>!~])/g, "$1")].find((one) => syntaxError(one) === undefined)
}

/** Returns the message of the error in the syntax of an expression. */
export const syntaxError = (source: string): string | undefined => {
  if (source.length > MAX_REGEX) return `Shorten the regular expression to ${MAX_REGEX} characters.`
  try {
    void new RegExp(source, "u")
    return undefined
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : ""
    return `Invalid regular expression: ${detail.slice(detail.lastIndexOf(": ") + 2)}.`
  }
}
