/** Prints terms for the corrections of a query: expressions of other code searches as valid terms. */
import * as PathExpression from "./PathExpression.ts"
import * as Qualifier from "./Qualifier.ts"
import * as RegexLines from "./RegexLines.ts"
import * as RegexSource from "./RegexSource.ts"
import { tokenize } from "./Token.ts"

/** Prints a regular expression between slashes. Quotes an invalid expression instead. */
export const printRegex = (written: string): string => {
  const source = RegexSource.fromRe2(written)
  if (source === undefined || source === "" || RegexLines.needsLineFeed(source)) return Qualifier.quote(written)
  return `/${new RegExp(source, "u").source}/`
}

/** Prints a text as a word. A text with special characters becomes a regular expression. */
export const printPattern = (written: string): string => {
  const text = written.replace(/^"(.*)"$|^\/(.*)\/$/s, "$1$2")
  if (/[\\^$*+?()[\]{}|]/.test(text)) return printRegex(text)
  return isWord(text) ? text : Qualifier.quote(text)
}

/** Prints an expression for paths as a qualifier. */
export const printPath = (written: string): string => {
  const token = { value: written, quoted: false, regex: false, span: { start: 0, length: 0 } }
  const read = PathExpression.parse(token)
  return "_tag" in read && !/^\s*$/.test(written) ? PathExpression.print(read) : "file:README"
}

/** Prints a name as a qualifier for definitions. */
export const printSymbol = (written: string): string => {
  const name = written.replace(/^\^|\$$|\(.*$/g, "")
  return `symbol:${/^[\w$.:-]+$/.test(name) ? name : Qualifier.quote(name === "" ? written : name)}`
}

/** Returns whether a text is one word of a query. */
export const isWord = (text: string): boolean => {
  const [token, ...more] = tokenize(text).tokens
  return token?._tag === "Term" && token.text === text && !token.phrase && !token.not && more.length === 0
}
