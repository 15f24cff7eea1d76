/** The qualifiers of a code search: `repo:a/b`, `-language:go`, `size:>=100` (`spec/4`, Resources). */
import * as CodeQuery from "./CodeQuery.ts"
import type { Diagnostic, Span } from "./Diagnostic.ts"
import { type Name, NAMES } from "./QualifierName.ts"
import type { Token } from "./Token.ts"

/**
 * One restriction on what is searched.
 *
 * **Details**
 *
 * Of several positive qualifiers with one name a file must match one; `repo`, `user` and `org` count as one name. Of
 * negated ones (`not`) it must match none. Sizes are in bytes, both bounds inclusive: `size:>9` has `min` 10.
 */
export type Qualifier = { readonly not: boolean; readonly span: Span } & (
  | { readonly name: Exclude<Name, "size" | "in">; readonly value: string }
  | { readonly name: "in"; readonly value: "file" | "path" }
  | { readonly name: "size"; readonly min?: number; readonly max?: number }
)

/** A qualifier as it stands in a text. */
export type QualifierToken = Extract<Token, { readonly _tag: "Qualifier" }> & { readonly name: Name }

export const isQualifierToken = (token: Token): token is QualifierToken =>
  token._tag === "Qualifier" && NAMES.some((name) => name === token.name)

/** Whether `OR` between the two says no more than writing both. */
export const isAlternative = (self: Qualifier["name"], that: Qualifier["name"]): boolean =>
  self === that || (LOCATIONS.has(self) && LOCATIONS.has(that))

/** The qualifiers that `name:value` stands for (`in:file,path` is two), or what is wrong with it. */
export const parse = (
  token: { readonly name: Name; readonly value: string; readonly span: Span },
  not: boolean
): ReadonlyArray<Qualifier> | Diagnostic => {
  const { name, span, value } = token
  const problem = (message: string): Diagnostic => ({ ...span, message })
  if (value === "") return problem(`Write a value right after ${name}: (no space between).`)
  switch (name) {
    case "in": {
      if (not) return problem("Leave NOT and the minus away from in:.")
      const places = value.toLowerCase().split(",")
      return places.every((place) => place === "file" || place === "path")
        ? places.map((place) => ({ name, value: place, not, span }))
        : problem("Write in:file, in:path or in:file,path.")
    }
    case "size": {
      const range = parseSize(value)
      return range === undefined
        ? problem("Write a size in bytes as size:>1000, size:>=1000, size:<1000, size:<=1000 or size:100..1000.")
        : [{ name, ...range, not, span }]
    }
    case "repo":
      if (value.endsWith("/*")) return problem(`Write user:${value.slice(0, -2)} for all repositories of an owner.`)
      return /^[^\s/]+\/[^\s/]+$/.test(value)
        ? [{ name, value, not, span }]
        : problem("Name the repository with its owner, as repo:owner/name.")
    case "extension": {
      const extension = value.replace(/^\./, "")
      return extension === ""
        ? problem("Write an extension without its dot, as extension:ts.")
        : [{ name, value: extension, not, span }]
    }
    case "filename":
      return value.includes("*")
        ? problem(`Leave the asterisk out: filename:${value.replaceAll("*", "")} finds a part of a name.`)
        : [{ name, value, not, span }]
    default:
      return [{ name, value, not, span }]
  }
}

/** What a file must be to pass; nothing for `in:`, which says where to look. */
export const toExpression = (self: Qualifier): CodeQuery.Expression | undefined => {
  const { not, span } = self
  if (self.name === "in") return undefined
  const filter: CodeQuery.Expression = { _tag: "Filter", filter: toFilter(self), span }
  return not ? CodeQuery.not(filter, span) : filter
}

/** A restriction on a group of words. */
export interface Restriction {
  readonly name: Name
  /** It must hold whatever others of its name there are: it is negated, or of several names. */
  readonly independent: boolean
  readonly expression: CodeQuery.Expression
}

/** What must hold together: of those with one name (where `combine` says so) one is enough. */
export const combineRestrictions = (all: ReadonlyArray<Restriction>): ReadonlyArray<CodeQuery.Expression> => {
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

/** A qualifier as it is written. */
export const print = (self: Qualifier): string =>
  `${self.not ? "-" : ""}${self.name}:${self.name === "size" ? printSize(self) : printValue(self.value)}`

/** A text between quotation marks. */
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

const LOCATIONS: ReadonlySet<Name> = new Set(["repo", "user", "org"])

// What would end the value, or be a pattern, stands between quotation marks.
const printValue = (value: string): string => (/[\s()*?{]|^[":]/.test(value) ? quote(value) : value)

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
