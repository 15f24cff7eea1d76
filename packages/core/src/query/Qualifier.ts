/** The qualifiers of a code search: `repo:a/b`, `-language:go`, `size:>=100` (`spec/4`, Resources). */
import type { Problem, Span } from "./Problem.ts"

/** Every name that a qualifier can have. */
export const NAMES = ["repo", "user", "org", "path", "filename", "extension", "language", "size", "in"] as const // the names must stay literals

export type Name = (typeof NAMES)[number]

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

/** Whether `OR` between the two says no more than writing both. */
export const combine = (self: Qualifier["name"], that: Qualifier["name"]): boolean =>
  self === that || (PLACES.has(self) && PLACES.has(that))

/** The qualifiers that `name:value` stands for (`in:file,path` is two), or what is wrong with it. */
export const read = (
  token: { readonly name: Name; readonly value: string; readonly span: Span },
  not: boolean
): ReadonlyArray<Qualifier> | Problem => {
  const { name, span, value } = token
  const problem = (message: string): Problem => ({ ...span, message })
  if (value === "") return problem(`Write a value right after ${name}: (no space between).`)
  switch (name) {
    case "in": {
      const places = value.toLowerCase().split(",")
      return places.every((place) => place === "file" || place === "path")
        ? places.map((place) => ({ name, value: place, not, span }))
        : problem("Write in:file, in:path or in:file,path.")
    }
    case "size": {
      const range = readSize(value)
      return range === undefined
        ? problem("Write a size in bytes as size:>1000, size:>=1000, size:<1000, size:<=1000 or size:100..1000.")
        : [{ name, ...range, not, span }]
    }
    case "repo":
      return /^[^\s/]+\/[^\s/]+$/.test(value)
        ? [{ name, value, not, span }]
        : problem("Name the repository with its owner, as repo:owner/name.")
    case "extension": {
      const extension = value.replace(/^\./, "")
      return extension === ""
        ? problem("Write an extension without its dot, as extension:ts.")
        : [{ name, value: extension, not, span }]
    }
    default:
      return [{ name, value, not, span }]
  }
}

/** A qualifier as it is written. */
export const print = (self: Qualifier): string =>
  `${self.not ? "-" : ""}${self.name}:${self.name === "size" ? printSize(self) : printValue(self.value)}`

/** A text between quotation marks. */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

const PLACES: ReadonlySet<Name> = new Set(["repo", "user", "org"])

const printValue = (value: string): string => (/\s|^[":]/.test(value) ? quote(value) : value)

interface Range {
  readonly min?: number
  readonly max?: number
}

const readSize = (text: string): Range | undefined => {
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
