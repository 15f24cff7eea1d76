/**
 * The query language of issues and pull requests: words, `"quoted phrases"`, qualifiers, `AND`, `OR`, `NOT` and
 * parentheses.
 *
 * **Details**
 *
 * Adjacent conditions must all match, like conditions with `AND`; `OR` binds weaker. Operators are upper case. A minus
 * negates a word, a phrase, a qualifier or a group. Adjacent `repo`, `user` and `org` qualifiers are alternatives, and so
 * are adjacent `involves` qualifiers. A word with an unknown qualifier name (`std::vector`, `http://x`) is a text.
 */
import type { issueSorts } from "../../contract/IssueSorts.ts"
import * as Qualifier from "../Qualifier.ts"

/** The parts of an issue with text. */
export const places = ["title", "body", "comments"] as const // literal types for `Place`
/** A part of an issue with text. */
export type Place = (typeof places)[number]

/** What results can be sorted by. */
export type SortName = (typeof issueSorts)[number]

/** The order of results. */
export interface Sort {
  readonly by: SortName
  readonly order: "asc" | "desc"
}

/** Qualifiers whose value is a name, compared without case. */
export const namedFilters = [
  "repo",
  "user",
  "org",
  "author",
  "assignee",
  "mentions",
  "commenter",
  "involves",
  "label",
  "milestone",
  "type"
] as const // literal types for `Filter`

/** Qualifiers whose value is a range of numbers. */
export const numberFilters = ["comments", "reactions", "interactions"] as const // literal types for `Filter`

/** Qualifiers whose value is a range of times. */
export const dateFilters = ["created", "updated", "closed"] as const // literal types for `Filter`

/** Properties of an issue or its repository. */
export const properties = ["locked", "public", "private", "blocked", "blocking"] as const // literal types for `Filter`

/** Reasons of closed issues. */
export const reasons = ["completed", "not planned", "duplicate"] as const // literal types for `Filter`

/** Metadata that an issue can lack. */
export const metadata = ["label", "milestone", "assignee", "type", "parent-issue"] as const // literal types for `Filter`

/** A condition on the metadata of an issue. */
export type Filter =
  /** The value of an account can be `@me`, and of an author `app/SLUG`. */
  | { readonly name: (typeof namedFilters)[number]; readonly value: string }
  | { readonly name: "state"; readonly value: "open" | "closed" }
  | { readonly name: "kind"; readonly value: "issue" | "pr" }
  | { readonly name: "is"; readonly value: (typeof properties)[number] }
  | { readonly name: "archived"; readonly value: "true" }
  | { readonly name: "reason"; readonly value: (typeof reasons)[number] }
  | { readonly name: "no"; readonly value: (typeof metadata)[number] }
  /** Both bounds are inclusive. */
  | { readonly name: (typeof numberFilters)[number]; readonly min?: number; readonly max?: number }
  /** Both bounds are inclusive, as `YYYY-MM-DDTHH:MM:SSZ`. */
  | { readonly name: (typeof dateFilters)[number]; readonly from?: string; readonly to?: string }

/** A condition on an issue. `And` without parts matches all issues. */
export type Condition =
  | { readonly _tag: "And" | "Or"; readonly parts: ReadonlyArray<Condition> }
  | { readonly _tag: "Not"; readonly part: Condition }
  /** The words of the text, one after the other. */
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Filter"; readonly filter: Filter }

/** A parsed query. */
export interface IssueQuery {
  readonly condition: Condition
  /** Where texts are searched. */
  readonly places: ReadonlyArray<Place>
  /** Undefined for the best match first. */
  readonly sort: Sort | undefined
}

/** Qualifiers that are alternatives beside each other, by the name of the group. */
const alternatives: Readonly<Record<string, string>> = {
  repo: "location",
  user: "location",
  org: "location",
  involves: "involves"
}

const groupOf = (condition: Condition): string | undefined =>
  condition._tag === "Filter" ? alternatives[condition.filter.name] : undefined

const flat = (tag: "And" | "Or", parts: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  parts.flatMap((part) => (part._tag === tag ? part.parts : [part]))

/** Joins conditions that must all match, and that are adjacent in a query. */
export const and = (parts: ReadonlyArray<Condition>): Condition => {
  const all = flat("And", parts)
  const joined = all.flatMap((part, index) => {
    const group = groupOf(part)
    if (group === undefined) return [part]
    const members = all.filter((other) => groupOf(other) === group)
    return all.findIndex((other) => groupOf(other) === group) === index ? [or(members)] : []
  })
  const [only] = joined
  return joined.length === 1 && only !== undefined ? only : { _tag: "And", parts: joined }
}

/** Joins conditions of which one must match. */
export const or = (parts: ReadonlyArray<Condition>): Condition => {
  const all = flat("Or", parts)
  const [only] = all
  return all.length === 1 && only !== undefined ? only : { _tag: "Or", parts: all }
}

/** Negates a condition. */
export const not = (part: Condition): Condition => (part._tag === "Not" ? part.part : { _tag: "Not", part })

/** Prints a query. Parsing the text gives the same query. */
export const print = ({ condition, places: where, sort }: IssueQuery): string =>
  [
    printCondition(condition),
    where.length === places.length ? "" : `in:${where.join(",")}`,
    sort === undefined ? "" : `sort:${sort.by}-${sort.order}`
  ]
    .filter((part) => part !== "")
    .join(" ")

const printCondition = (self: Condition): string => {
  switch (self._tag) {
    case "And":
      return self.parts.map(printPart).join(" ")
    // In parentheses, because other conditions can follow.
    case "Or":
      return printLabels(self.parts) ?? `(${self.parts.map(printCondition).join(" OR ")})`
    case "Not":
      return `-${printPart(self.part)}`
    case "Text":
      return /^(?!(?:AND|OR|NOT)$)[\p{L}\p{N}_][^\s"():]*$/u.test(self.text) ? self.text : Qualifier.quote(self.text)
    case "Filter":
      return printFilter(self.filter)
  }
}

const printPart = (part: Condition): string =>
  part._tag === "And" ? `(${printCondition(part)})` : printCondition(part)

const printLabels = (parts: ReadonlyArray<Condition>): string | undefined => {
  const labels = parts.flatMap((part) => (part._tag === "Filter" && part.filter.name === "label" ? [part.filter] : []))
  return labels.length === parts.length ? `label:${labels.map(({ value }) => printValue(value)).join(",")}` : undefined
}

const printValue = (value: string): string => (/^[^\s"(),\\]+$/.test(value) ? value : Qualifier.quote(value))

const printFilter = (filter: Filter): string => {
  if ("value" in filter) {
    return `${filter.name === "kind" ? "is" : filter.name}:${printValue(filter.value)}`
  }
  const [from, to] = "min" in filter || "max" in filter ? [filter.min, filter.max] : boundsOf(filter)
  return `${filter.name}:${from ?? "*"}..${to ?? "*"}`
}

const boundsOf = (filter: Filter) => ("from" in filter || "to" in filter ? [filter.from, filter.to] : [])
