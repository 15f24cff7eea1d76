/** Narrowing a query by its qualifiers, as facets do: in the text that the person wrote, the rest of it left alone. */
import { quote } from "@tongs/core/query/Qualifier"
import { tokenize, type Token } from "@tongs/core/query/Token"

/** The qualifiers that facets stand for. */
export type RefinementName = "repo" | "language" | "path"

/** A qualifier of the query. */
export interface Refinement {
  readonly name: RefinementName
  readonly value: string
  /** It keeps out instead. */
  readonly not: boolean
}

/** Of the query's qualifiers those that facets stand for, in their order. */
export const all = (q: string): ReadonlyArray<Refinement> =>
  tokenize(q).tokens.flatMap((token) =>
    isRefinement(token) ? [{ name: token.name, value: token.value, not: token.not }] : []
  )

/** The query with one more; a qualifier for the same value is replaced. */
export const add = (q: string, refinement: Refinement): string => {
  const rest = without(q, (token) => isSame(token, refinement))
  // What OR joins it joins first; the qualifier is to hold for all of it.
  const whole = hasLooseOr(rest) ? `(${rest})` : rest
  return `${whole} ${print(refinement)}`.trim()
}

export const remove = (q: string, refinement: Refinement): string =>
  without(q, (token) => isSame(token, refinement) && token.not === refinement.not)

export const print = ({ name, not, value }: Refinement): string =>
  `${not ? "-" : ""}${name}:${/[\s"()]/.test(value) ? quote(value) : value}`

type Qualifier = Token & { readonly _tag: "Qualifier"; readonly name: RefinementName }

const isRefinement = (token: Token): token is Qualifier =>
  token._tag === "Qualifier" && (token.name === "repo" || token.name === "language" || token.name === "path")

/** Values are compared as the forge does: in any case. */
const isSame = (token: Qualifier, { name, value }: Refinement): boolean =>
  token.name === name && token.value.toLowerCase() === value.toLowerCase()

const without = (q: string, drop: (token: Qualifier) => boolean): string => {
  let rest = q
  for (const token of tokenize(q).tokens.toReversed()) {
    if (!isRefinement(token) || !drop(token)) continue
    const { length, start } = token.span
    rest = `${rest.slice(0, start).trimEnd()} ${rest.slice(start + length).trimStart()}`
  }
  return rest.trim()
}

const hasLooseOr = (q: string): boolean => {
  let depth = 0
  for (const token of tokenize(q).tokens) {
    if (token._tag === "Open") depth++
    else if (token._tag === "Close") depth--
    else if (token._tag === "Operator" && token.operator === "OR" && depth === 0) return true
  }
  return false
}
