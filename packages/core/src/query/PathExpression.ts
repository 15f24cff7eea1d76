/** The value of `file:`, a text or regular expression on the path, and of `path:` with a regular expression. */
import type { Leaf } from "./CodeQuery.ts"
import type { Span } from "./Diagnostic.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { type QueryProblem, write } from "./QueryProblem.ts"
import * as RegexSource from "./RegexSource.ts"
import { tokenize } from "./Token.ts"

/** A term on the path. Matches case-insensitively in any part of the path. */
export type PathExpression = Extract<Leaf, { readonly _tag: "Text" | "Regex" }>

/** Parses a value. Quoted text, and text without special characters, is not a regular expression. */
export const parse = (token: {
  readonly value: string
  readonly quoted: boolean
  readonly regex: boolean
  readonly span: Span
}): PathExpression | QueryProblem => {
  const { quoted, regex, span, value } = token
  const text = (text: string): PathExpression => ({ _tag: "Text", text, place: "path", span })
  if (quoted || !(regex || special.test(value))) return text(value)
  const source = RegexSource.fromRe2(value)
  if (source !== undefined) {
    if (!special.test(source)) return text(source)
    const isSafe = source === value || isPlain("Regex", source)
    return { _tag: "Regex", source: isSafe ? source : `(?:${source})`, place: "path", span }
  }
  const isPattern = !regex && PathPattern.isPattern(value) && PathPattern.isBalanced(value)
  const error = RegexSource.syntaxError(value) ?? ""
  return write(error, isPattern && !/[()]/.test(value) ? `path:${value}` : `file:${Qualifier.quote(value)}`)
}

/** Prints an expression. Parsing the text gives the same expression. */
export const print = (self: PathExpression): string => {
  const value = self._tag === "Text" ? self.text : self.source
  if (isPlain(self._tag, value)) return `file:${value}`
  return self._tag === "Text" ? `file:${Qualifier.quote(value)}` : `file:/${value}/`
}

const special = /[\\^$.*+?()[\]{}|]/

/** Returns whether a value needs neither slashes nor quotation marks. */
const isPlain = (tag: PathExpression["_tag"], value: string): boolean => {
  const [token, ...more] = tokenize(`file:${value}`).tokens
  if (token?._tag !== "Qualifier" || token.quoted || token.regex || token.value !== value) return false
  return more.length === 0 && !isPredicate(value) && (tag === "Regex") === special.test(value)
}

/** Returns whether a value is one of Sourcegraph's predicates: `has.content(x)`. */
export const isPredicate = (value: string): boolean => /^(?:has|contains|at)\.[\w.]*\(/.test(value)

/** Returns the nearest qualifiers of the search query language for an expression, or an empty text. */
export const toQualifiers = (source: string): string => {
  const text = source.replace(/^\(\?i\)/, "")
  if (RegexSource.syntaxError(text) !== undefined && PathPattern.isPattern(text)) return PathPattern.toQualifiers(text)
  const name = /(?:^|[^\w.-])([\w-]+\\?\.\w+)\$?$/.exec(text)?.[1]
  if (name !== undefined) return `filename:${name.replaceAll("\\", "")}`
  const extension = /\.(\w+)\$$/.exec(text)?.[1]
  if (extension !== undefined) return `extension:${extension}`
  const folder = /^\^((?:[\w/-]|\\[./])+)/.exec(text)?.[1]?.replaceAll("\\", "").replace(/\/$/, "")
  if (folder !== undefined && folder !== "") return `path:${folder}`
  const words = text.replace(/\\[a-z]/gi, " ").match(/\w{2,}/g) ?? []
  const [word] = words.toSorted((a, b) => b.length - a.length)
  return word === undefined ? "" : `filename:${word}`
}
