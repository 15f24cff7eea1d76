/** Reports syntax of the code query language in a search query. */
import type { Diagnostic } from "./Diagnostic.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { isUnclosedRegex, type Token } from "./Token.ts"

/** Returns a diagnostic for each unsupported token, with the nearest supported syntax. */
export const diagnose = (all: ReadonlyArray<Token>): ReadonlyArray<Diagnostic> => {
  let depth = 0
  return all.flatMap((token): ReadonlyArray<Diagnostic> => {
    if (token._tag === "Open") depth++
    if (token._tag === "Close" && depth > 0) {
      depth--
      return []
    }
    const message = explain(token)
    return message === undefined ? [] : [{ ...token.span, message }]
  })
}

const explain = (token: Token): string | undefined => {
  switch (token._tag) {
    case "Open":
      return 'Parentheses do not group here. Instead of a (b OR c) write a b OR a c. Put code in quotation marks: "(x)".'
    case "Close":
      return 'Remove this parenthesis, or put code in quotation marks: "f(x, y)".'
    case "Regex":
      return noRegex(token.source)
    case "Term":
      if (token.not && token.phrase)
        return `Write NOT ${Qualifier.quote(token.text)}. A minus works only before a qualifier.`
      return !token.phrase && isUnclosedRegex(token.text) ? noRegex(token.text) : undefined
    case "Qualifier":
      switch (token.name) {
        case "symbol":
          return `Write ${token.value === "" ? "the name" : token.value} without symbol:, which is not supported here. Definitions come first.`
        case "case":
          return "Remove case:yes or case:no. This search ignores case."
        case "word":
          return "Remove word:yes or word:no. This search ranks whole words first."
        case "path":
          return !token.quoted && PathPattern.isPattern(token.value)
            ? `Patterns are not supported here. Write ${PathPattern.toQualifiers(token.value)}.`
            : undefined
        default:
          return undefined
      }
    default:
      return undefined
  }
}

const noRegex = (source: string): string => {
  const words = source.replace(/\\./g, " ").match(/\w{3,}/g)
  const nearest = words === null ? "words of the text" : words.join(" ")
  return `Regular expressions are not supported here. Write ${nearest}, or put the text in quotation marks.`
}
