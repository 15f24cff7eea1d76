/** The qualifiers of a code search: `repo:a/b`, `-language:go`, `size:>=100`. */
import * as CodeQuery from "./CodeQuery.ts"
import type { Diagnostic, Span } from "./Diagnostic.ts"
import { type Name, qualifierNames } from "./QualifierName.ts"
import type { Token } from "./Token.ts"

/**
 * A qualifier of a search.
 *
 * **Details**
 *
 * Of several positive qualifiers with one name, a file must match one; `repo`, `user` and `org` count as one name. A
 * file must match no negated qualifier (`not`). Sizes are in bytes, both bounds inclusive: `size:>9` has `min` 10.
 */
export type Qualifier = { readonly not: boolean; readonly span: Span } & (
  | { readonly name: Exclude<Name, "size" | "in">; readonly value: string }
  | { readonly name: "in"; readonly value: "file" | "path" }
  | { readonly name: "size"; readonly min?: number; readonly max?: number }
)

/** The token of a qualifier that both query languages have. */
export type QualifierToken = Extract<Token, { readonly _tag: "Qualifier" }> & { readonly name: Name }

/** Returns whether a token is a qualifier that both query languages have. */
export const isQualifierToken = (token: Token): token is QualifierToken =>
  token._tag === "Qualifier" && qualifierNames.some((name) => name === token.name)

/**
 * Returns whether two qualifiers are alternatives without an `OR`: both have one name, or are `repo`, `user` and `org`.
 */
export const isAlternative = (self: string, that: string): boolean =>
  self === that || (locations.has(self) && locations.has(that))

/** Returns whether each of several qualifiers of one name must hold, as for dates and expressions for paths. */
export const isIndependent = (name: Restriction["name"]): boolean =>
  name === "file" || name === "after" || name === "before"

/** Parses `name:value` into qualifiers (two for `in:file,path`), or returns a diagnostic. */
export const parse = (
  token: { readonly name: Name; readonly value: string; readonly span: Span },
  not: boolean
): ReadonlyArray<Qualifier> | Diagnostic => {
  const { name, span, value } = token
  const problem = (message: string): Diagnostic => ({ ...span, message })
  if (value === "") return problem(`Write a value right after ${name}: (no space between).`)
  switch (name) {
    case "in": {
      if (not) return problem("Remove NOT or the minus from in:.")
      const places = value.toLowerCase().split(",")
      return places.every((place) => place === "file" || place === "path")
        ? places.map((place) => ({ name, value: place, not, span }))
        : problem("Write in:file, in:path or in:file,path.")
    }
    case "size": {
      const range = parseSize(value)
      return range === undefined
        ? problem("Write a size in bytes: size:>1000, size:>=1000, size:<1000, size:<=1000 or size:100..1000.")
        : [{ name, ...range, not, span }]
    }
    case "repo":
      return /^[^\s/]+\/[^\s/]+$/.test(value)
        ? [{ name, value, not, span }]
        : problem("Write the repository with its owner: repo:owner/name.")
    case "extension": {
      const extension = value.replace(/^\./, "")
      return extension === ""
        ? problem("Write an extension without its dot: extension:ts.")
        : [{ name, value: extension, not, span }]
    }
    case "filename":
      return value.includes("*")
        ? problem(`Remove the asterisk: filename:${value.replaceAll("*", "")} matches a part of a name.`)
        : [{ name, value, not, span }]
    default:
      return [{ name, value, not, span }]
  }
}

/** Converts a qualifier to a filter. Undefined for `in:`, which is an option of the search. */
export const toExpression = (self: Qualifier): CodeQuery.Expression | undefined => {
  const { not, span } = self
  if (self.name === "in") return undefined
  const filter: CodeQuery.Expression = { _tag: "Filter", filter: toFilter(self), span }
  return not ? CodeQuery.not(filter, span) : filter
}

/** A qualifier, or several joined by `OR`, that restricts a group of terms. */
export interface Restriction {
  readonly name: CodeQuery.Filter["name"] | "in" | "file"
  /**
   * True if the restriction must hold independently of other restrictions with the same name: negated, or with several
   * names.
   */
  readonly independent: boolean
  readonly expression: CodeQuery.Expression
}

/**
 * Combines alternative restrictions (`isAlternative`) into disjunctions. A file must match all returned expressions.
 */
export const alternativesOf = (all: ReadonlyArray<Restriction>): ReadonlyArray<CodeQuery.Expression> => {
  const groups: Array<Array<Restriction>> = []
  for (const one of all) {
    const alike = groups.find(
      ([first]) => first !== undefined && !first.independent && isAlternative(first.name, one.name)
    )
    if (alike === undefined || one.independent) groups.push([one])
    else alike.push(one)
  }
  return groups.map((group) => CodeQuery.or(group.map(({ expression }) => expression)))
}

/** Prints a qualifier as text. */
export const print = (self: Qualifier): string =>
  `${self.not ? "-" : ""}${self.name}:${self.name === "size" ? printSize(self) : printValue(self.value)}`

/** Quotes a text, and escapes the quotation marks and backslashes. */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

const toFilter = (self: Exclude<Qualifier, { readonly name: "in" }>): CodeQuery.Filter => {
  switch (self.name) {
    case "size": {
      const { max, min, name } = self
      return { name, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
    }
    case "path":
      return { name: self.name, value: self.value, glob: false }
    default:
      return { name: self.name, value: self.value }
  }
}

const locations: ReadonlySet<string> = new Set(["repo", "user", "org"])

/** Prints a value. Quotes one that would otherwise end early or be a pattern. */
export const printValue = (value: string): string => (/[\s()*?{]|^[":]/.test(value) ? quote(value) : value)

interface Range {
  readonly min?: number
  readonly max?: number
}

const parseSize = (text: string): Range | undefined => {
  const match = /^(?:(>=?|<=?)?(\d{1,15})|(\d{1,15}|\*)\.\.(\d{1,15}|\*))$/.exec(text)
  if (match === null) return undefined
  const [, comparison, size, from, to] = match
  if (size !== undefined) {
    const bytes = Number(size)
    if (comparison === "<" && bytes === 0) return undefined
    switch (comparison) {
      case ">":
        return { min: bytes + 1 }
      case ">=":
        return { min: bytes }
      case "<":
        return { max: bytes - 1 }
      case "<=":
        return { max: bytes }
      default:
        return { min: bytes, max: bytes }
    }
  }
  if (from === "*" && to === "*") return undefined
  if (from === "*") return { max: Number(to) }
  if (to === "*") return { min: Number(from) }
  return Number(from) <= Number(to) ? { min: Number(from), max: Number(to) } : undefined
}

const printSize = ({ max, min }: Range): string => {
  if (min === undefined) return `<=${max}`
  if (max === undefined) return `>=${min}`
  return min === max ? String(min) : `${min}..${max}`
}
