/** What a query says that only the explorer's language has, explained to whoever can ask in the contract's alone. */
import type { Diagnostic } from "./Diagnostic.ts"
import * as PathPattern from "./PathPattern.ts"
import * as Qualifier from "./Qualifier.ts"
import { isUnclosedRegex, type Token } from "./Token.ts"

/** A problem for each, which says what comes nearest. */
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
      return 'Parentheses do not group here: instead of a (b OR c) write a b OR a c. Put code in quotation marks, as "(x)".'
    case "Close":
      return 'Take this parenthesis away, or put code in quotation marks, as "f(x, y)".'
    case "Regex":
      return noRegex(token.source)
    case "Term":
      if (token.not && token.phrase)
        return `Write NOT ${Qualifier.quote(token.text)}: a minus stands before qualifiers alone.`
      return !token.phrase && isUnclosedRegex(token.text) ? noRegex(token.text) : undefined
    case "Qualifier":
      switch (token.name) {
        case "symbol":
          return `Write ${token.value === "" ? "the name" : token.value} alone: symbol: does not work here, but definitions come first.`
        case "case":
          return "Leave case: out: here capitals and small letters are the same."
        case "word":
          return "Leave word: out: here whole words come first."
        case "path":
          return !token.quoted && PathPattern.isPattern(token.value)
            ? `Patterns do not work here: write ${PathPattern.toQualifiers(token.value)}.`
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
  const nearest = words === null ? "words that stand in the text" : words.join(" ")
  return `Regular expressions do not work here: write ${nearest}, or put the text in quotation marks.`
}
