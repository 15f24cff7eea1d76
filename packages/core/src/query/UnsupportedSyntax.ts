/** Reports syntax of the code query language in a search query. */
import type { Diagnostic } from "./Diagnostic.ts"
import * as BasicForm from "./BasicForm.ts"
import { coveringSpan } from "./CodeQuery.ts"
import * as Qualifier from "./Qualifier.ts"
import type { QueryProblem } from "./QueryProblem.ts"
import { isUnclosedRegex, type Token } from "./Token.ts"

/** A diagnostic, and the tokens to leave out of the query. */
export interface UnsupportedPart {
  readonly diagnostic: Diagnostic
  readonly tokens: ReadonlyArray<Token>
}

/** Returns the unsupported parts, with the nearest supported syntax. */
export const diagnose = (all: ReadonlyArray<Token>): ReadonlyArray<UnsupportedPart> => {
  let depth = 0
  return all.flatMap((token, index): ReadonlyArray<UnsupportedPart> => {
    if (token._tag === "Open") depth++
    if (token._tag === "Close" && depth > 0) {
      depth--
      return []
    }
    const problem = explain(token)
    if (problem === undefined) return []
    const before = all[index - 1]
    const hasNot = problem.replacement === "" && before?._tag === "Operator" && before.operator === "NOT"
    const span = hasNot ? coveringSpan([before, token]) : token.span
    const tokens = token._tag !== "Qualifier" ? [] : hasNot ? [before, token] : [token]
    return [{ diagnostic: { ...span, ...problem }, tokens }]
  })
}

const explain = (token: Token): QueryProblem | undefined => {
  switch (token._tag) {
    case "Open":
      return {
        message:
          'Parentheses do not group here. Instead of a (b OR c) write a b OR a c. Put code in quotation marks: "(x)".'
      }
    case "Close":
      return { message: 'Remove this parenthesis, or put code in quotation marks: "f(x, y)".' }
    case "Regex":
      return noRegex(token.source)
    case "Term":
      if (token.not && token.phrase) {
        const replacement = `NOT ${Qualifier.quote(token.text)}`
        return { message: `Write ${replacement}. A minus works only before a qualifier.`, replacement }
      }
      return !token.phrase && isUnclosedRegex(token.text) ? noRegex(token.text) : undefined
    case "Qualifier":
      return BasicForm.problem(token)
    default:
      return undefined
  }
}

const noRegex = (source: string): QueryProblem => {
  const words = source.replace(/\\./g, " ").match(/\w{3,}/g)
  const nearest = words === null ? "words of the text" : words.join(" ")
  const message = `Regular expressions are not supported here. Write ${nearest}, or put the text in quotation marks.`
  return { message, ...(words === null ? {} : { replacement: nearest }) }
}
