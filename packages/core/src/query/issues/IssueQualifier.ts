/** The qualifiers of a search for issues: `repo:a/b`, `-label:bug`, `comments:>10`. */
import { issueSorts } from "../../contract/IssueSorts.ts"
import { remove, write, type QueryProblem } from "../QueryProblem.ts"
import * as IssueQuery from "./IssueQuery.ts"
import * as QueryRange from "./QueryRange.ts"

const optionNames = ["in", "sort"] as const // literal types for `Name`
const valueNames = ["state", "is", "archived", "reason", "no"] as const // literal types for `Name`

/** Qualifiers of GitHub for data that the forge does not search. */
const unsupportedNames = [
  "linked",
  "project",
  "team",
  "language",
  "head",
  "base",
  "draft",
  "merged",
  "status",
  "review",
  "reviewed-by",
  "review-requested",
  "user-review-requested",
  "team-review-requested"
] as const // literal types for `Name`

const names = [
  ...IssueQuery.namedFilters,
  ...IssueQuery.numberFilters,
  ...IssueQuery.dateFilters,
  ...optionNames,
  ...valueNames,
  ...unsupportedNames
]

/** The name of a qualifier. */
export type Name = (typeof names)[number]

/** Qualifiers with several values, separated by commas. */
export const listNames: ReadonlySet<Name> = new Set<Name>(["label", "in"])

/** Matches the name and colon of a qualifier. `type::x` and `in://x` are texts. */
export const pattern = new RegExp(`(${names.join("|")}):(?!:|//)`, "iy")

/** Returns the qualifier that a written name means, in any case. */
export const resolve = (written: string): Name | undefined => names.find((name) => name === written.toLowerCase())

/** The meaning of a qualifier: a condition, or an option of the whole query. */
export type Meaning =
  | { readonly condition: IssueQuery.Condition }
  | { readonly places: ReadonlyArray<IssueQuery.Place> }
  | { readonly sort: IssueQuery.Sort }

/** Parses the values of a qualifier. */
export const parse = (name: Name, values: ReadonlyArray<string>): Meaning | QueryProblem => {
  const [value = ""] = values
  if (values.some((one) => one.trim() === "")) {
    return { message: `Write a value right after ${name}: (no space between), or put the word in quotation marks.` }
  }
  if (name === "label") return { condition: IssueQuery.or(values.map((one) => filter({ name, value: one }))) }
  if (name === "in") {
    const chosen = values.map((one) => memberOf(IssueQuery.places, one) ?? memberOf(IssueQuery.places, `${one}s`))
    const places = IssueQuery.places.filter((place) => chosen.includes(place))
    return chosen.includes(undefined) ? oneOf(name, IssueQuery.places) : { places }
  }
  if (name === "sort") return sortOf(value)
  const condition = conditionOf(name, value)
  return "message" in condition ? condition : { condition }
}

const filter = (one: IssueQuery.Filter): IssueQuery.Condition => ({ _tag: "Filter", filter: one })

const conditionOf = (
  name: Exclude<Name, "label" | "in" | "sort">,
  value: string
): IssueQuery.Condition | QueryProblem => {
  switch (name) {
    case "repo":
      return /^[^\s/]+\/[^\s/]+$/.test(value)
        ? filter({ name, value })
        : write("Write the repository with its owner.", "repo:OWNER/NAME")
    case "assignee":
    case "milestone":
      return value === "*" ? IssueQuery.not(filter({ name: "no", value: name })) : filter({ name, value })
    case "type":
      return kindOf(value) ?? filter({ name, value })
    case "user":
    case "org":
    case "author":
    case "mentions":
    case "commenter":
    case "involves":
      return filter({ name, value })
    case "state": {
      const state = memberOf(["open", "closed"], value)
      return state === undefined ? oneOf(name, ["open", "closed"]) : filter({ name, value: state })
    }
    case "is":
      return propertyOf(value)
    case "archived": {
      const is = memberOf(["true", "false"], value)
      const archived = filter({ name, value: "true" })
      if (is === undefined) return oneOf(name, ["true", "false"])
      return is === "true" ? archived : IssueQuery.not(archived)
    }
    case "reason": {
      const reason = memberOf(IssueQuery.reasons, value.replace("_", " "))
      return reason === undefined
        ? oneOf(name, ["completed", '"not planned"', "duplicate"])
        : filter({ name, value: reason })
    }
    case "no": {
      const missing = memberOf(IssueQuery.metadata, value)
      return missing === undefined ? oneOf(name, IssueQuery.metadata) : filter({ name, value: missing })
    }
    case "comments":
    case "reactions":
    case "interactions": {
      const range = QueryRange.numbers(name, value)
      return "message" in range ? range : filter({ name, ...range })
    }
    case "created":
    case "updated":
    case "closed": {
      const range = QueryRange.dates(name, value)
      return "message" in range ? range : filter({ name, ...range })
    }
    default:
      return remove(`${name}:`, "this search does not support it")
  }
}

const kindOf = (value: string): IssueQuery.Condition | undefined => {
  const kind = memberOf(["issue", "pr", "pull-request"], value)
  return kind === undefined ? undefined : filter({ name: "kind", value: kind === "issue" ? "issue" : "pr" })
}

/** Parses the value of `is:`. */
const propertyOf = (value: string): IssueQuery.Condition | QueryProblem => {
  const state = memberOf(["open", "closed"], value)
  if (state !== undefined) return filter({ name: "state", value: state })
  const property = memberOf(IssueQuery.properties, value)
  if (property !== undefined) return filter({ name: "is", value: property })
  if (value.toLowerCase() === "unlocked") return IssueQuery.not(filter({ name: "is", value: "locked" }))
  return (
    kindOf(value) ??
    oneOf("is", ["issue", "pr", "open", "closed", "locked", "unlocked", ...IssueQuery.properties.slice(1)])
  )
}

const sortOf = (value: string): Meaning | QueryProblem => {
  const [, written = "", order] = /^(.+?)(?:-(asc|desc))?$/i.exec(value) ?? []
  const by = memberOf(issueSorts, written)
  return by === undefined
    ? oneOf("sort", ["created", "updated-asc", ...issueSorts.slice(2)])
    : { sort: { by, order: order?.toLowerCase() === "asc" ? "asc" : "desc" } }
}

const memberOf = <A extends string>(values: ReadonlyArray<A>, written: string): A | undefined =>
  values.find((value) => value === written.toLowerCase())

const oneOf = (name: Name, values: ReadonlyArray<string>): QueryProblem => ({
  message: `Write ${values
    .slice(0, -1)
    .map((value) => `${name}:${value}`)
    .join(", ")} or ${name}:${values.at(-1)}.`
})
