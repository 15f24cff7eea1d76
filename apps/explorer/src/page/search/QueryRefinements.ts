/** Edits the qualifiers of a query that facets control, and keeps the rest of the text. */
import { quote } from "@tongs/core/query/Qualifier"
import { resolve } from "@tongs/core/query/SymbolKindName"
import { tokenize, type Token } from "@tongs/core/query/Token"

/** A qualifier that has a facet. */
export type RefinementName = "repo" | "language" | "path" | "kind"

/** A qualifier of a query. */
export interface Refinement {
  readonly name: RefinementName
  readonly value: string
  /** True if the refinement excludes the value. */
  readonly not: boolean
}

/** The refinements of a query, in order. */
export const all = (q: string): ReadonlyArray<Refinement> =>
  tokenize(q).tokens.flatMap((token) =>
    isRefinement(token) ? [{ name: token.name, value: valueOf(token), not: token.not }] : []
  )

/**
 * Adds a refinement, which always narrows the query. Replaces a refinement with the same name and value, and outer
 * folders.
 */
export const add = (q: string, refinement: Refinement): string => {
  // `kind:` applies to the whole query, so the qualifier is not in parentheses, and two kinds would be alternatives.
  if (refinement.name === "kind") return `${without(q, ({ name }) => name === "kind")} ${print(refinement)}`.trim()
  const rest = without(q, (token) => isSame(token, refinement) || isOuterFolder(token, refinement))
  // Parentheses make the qualifier apply to both sides of OR, which binds more loosely. Without parentheses, positive
  // qualifiers of one name would be alternatives.
  const isAlternative = !refinement.not && all(rest).some(({ name, not }) => name === refinement.name && !not)
  const grouped = isAlternative || hasTopLevelOr(rest) ? group(rest) : rest
  return `${grouped} ${print(refinement)}`.trim()
}

export const remove = (q: string, refinement: Refinement): string =>
  without(q, (token) => isSame(token, refinement) && token.not === refinement.not)

/** The text of a refinement in a query, for example `-language:go`. */
export const print = ({ name, not, value }: Refinement): string =>
  `${not ? "-" : ""}${name}:${/[\s"()]/.test(value) ? quote(value) : value}`

const names: ReadonlySet<string> = new Set(["repo", "language", "path", "kind"] satisfies ReadonlyArray<RefinementName>)

type Qualifier = Token & { readonly _tag: "Qualifier"; readonly name: RefinementName }

const isRefinement = (token: Token): token is Qualifier => token._tag === "Qualifier" && names.has(token.name)

/** Returns the value of a qualifier; for `kind:`, the value in the facet. */
const valueOf = ({ name, value }: Qualifier): string => (name === "kind" ? (resolve(value) ?? value) : value)

/** The value of a refinement in the facet: a folder without the slash of the root. */
export const facetValue = ({ name, value }: Pick<Refinement, "name" | "value">): string =>
  name === "path" ? value.replace(/^\/(?=.)|(?<=.)\/$/g, "") : value

/** Compares values case-insensitively, like the forge. */
const isSame = (token: Qualifier, { name, value }: Refinement): boolean =>
  token.name === name &&
  facetValue({ name, value: valueOf(token) }).toLowerCase() === facetValue({ name, value }).toLowerCase()

/** True for `path:src` if the refinement is `path:src/page`. */
const isOuterFolder = (outer: Qualifier, inner: Refinement): boolean =>
  outer.name === "path" &&
  inner.name === "path" &&
  !outer.not &&
  !inner.not &&
  facetValue(inner)
    .toLowerCase()
    .startsWith(`${facetValue(outer).toLowerCase()}/`)

const without = (q: string, shouldRemove: (token: Qualifier) => boolean): string =>
  remainder(q, (token) => isRefinement(token) && shouldRemove(token))

/** Puts a query in parentheses, except the qualifiers that are not allowed in parentheses. */
const group = (q: string): string => {
  const isGlobal = (token: Token) =>
    token._tag === "Qualifier" && (token.name === "rev" || token.name === "type" || token.name === "count")
  const global = tokenize(q).tokens.flatMap((token) =>
    isGlobal(token) ? [q.slice(token.span.start, token.span.start + token.span.length)] : []
  )
  return [`(${remainder(q, isGlobal)})`, ...global].join(" ")
}

/** The query without some tokens. */
const remainder = (q: string, shouldRemove: (token: Token) => boolean): string => {
  let rest = q
  for (const token of tokenize(q).tokens.toReversed()) {
    if (!shouldRemove(token)) continue
    const { length, start } = token.span
    rest = `${rest.slice(0, start).trimEnd()} ${rest.slice(start + length).trimStart()}`
  }
  return rest.trim()
}

const hasTopLevelOr = (q: string): boolean => {
  let depth = 0
  for (const token of tokenize(q).tokens) {
    if (token._tag === "Open") depth++
    else if (token._tag === "Close") depth--
    else if (token._tag === "Operator" && token.operator === "OR" && depth === 0) return true
  }
  return false
}
