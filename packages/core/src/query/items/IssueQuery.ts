/** The query language of the search for issues and pull requests. */
import { issueSorts } from "../../contract/SearchSorts.ts"
import * as ItemQualifier from "./ItemQualifier.ts"
import * as ItemQuery from "./ItemQuery.ts"
import * as ItemQueryParser from "./ItemQueryParser.ts"
import { write } from "../QueryProblem.ts"

/** The parts of an issue with text. */
export const places = ["title", "body", "comments"] as const // literal types for `Place`
/** A part of an issue with text. */
export type Place = (typeof places)[number]

/** What results can be sorted by. */
export type SortName = (typeof issueSorts)[number]

/** The order of results. */
export type Sort = ItemQuery.Sort<SortName>

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
  "type",
  "language",
  "base",
  "head",
  "review-requested",
  "user-review-requested",
  "team-review-requested",
  "reviewed-by"
] as const // literal types for `Filter`

/** Qualifiers whose value is a range of numbers. */
export const numberFilters = ["comments", "reactions", "interactions"] as const // literal types for `Filter`

/** Qualifiers whose value is a range of times. */
export const dateFilters = ["created", "updated", "closed", "merged"] as const // literal types for `Filter`

/** Properties of an issue, a pull request or its repository. */
export const properties = ["locked", "public", "private", "blocked", "blocking", "draft", "merged"] as const // literal types for `Filter`

/** Reasons of closed issues. */
export const reasons = ["completed", "not planned", "duplicate"] as const // literal types for `Filter`

/** States of the reviews of a pull request. */
export const reviewStates = ["none", "approved", "changes_requested"] as const // literal types for `Filter`

/** Metadata that an issue can lack. */
export const metadata = ["label", "milestone", "assignee", "type", "parent-issue"] as const // literal types for `Filter`

/** A condition on the metadata of an issue. */
export type Filter =
  /** The value of an account can be `@me`, and of an author `app/SLUG`. */
  | { readonly name: (typeof namedFilters)[number]; readonly value: string }
  | { readonly name: "state"; readonly value: "open" | "closed" }
  | { readonly name: "kind"; readonly value: "issue" | "pr" }
  | { readonly name: "review"; readonly value: (typeof reviewStates)[number] }
  | { readonly name: "is"; readonly value: (typeof properties)[number] }
  | { readonly name: "archived"; readonly value: "true" }
  | { readonly name: "reason"; readonly value: (typeof reasons)[number] }
  | { readonly name: "no"; readonly value: (typeof metadata)[number] }
  /** Both bounds are inclusive. */
  | { readonly name: (typeof numberFilters)[number]; readonly min?: number; readonly max?: number }
  /** Both bounds are inclusive, as `YYYY-MM-DDTHH:MM:SSZ`. */
  | { readonly name: (typeof dateFilters)[number]; readonly from?: string; readonly to?: string }

/** A condition on an issue. `And` without parts matches all issues. */
export type Condition = ItemQuery.Condition<Filter>

/** A parsed query. */
export type IssueQuery = ItemQuery.ItemQuery<Filter, Place, SortName>

/** Joins conditions that must all match, and that are adjacent in a query. */
export const and = ItemQuery.and<Filter>

/** Joins conditions of which one must match. */
export const or = ItemQuery.or<Filter>

/** Negates a condition. */
export const not = ItemQuery.not<Filter>

type Parse = ItemQualifier.Parse<Filter>

const { choice, dates, filter, flag, memberOf, named, numbers, oneOf, repository, without } = ItemQualifier

/** Creates the parser of a name, with `*` for any. */
const namedOrAny =
  (name: "assignee" | "milestone"): Parse =>
  (value) =>
    value === "*" ? without({ name: "no", value: name }) : filter({ name, value })

const kindOf = (value: string) => {
  const kind = memberOf(["issue", "pr", "pull-request"], value)
  return kind === undefined ? undefined : filter({ name: "kind", value: kind === "issue" ? "issue" : "pr" })
}

/** Parses the value of `is:`. */
const propertyOf: Parse = (value) => {
  const state = memberOf(["open", "closed"], value)
  if (state !== undefined) return filter({ name: "state", value: state })
  const property = memberOf(properties, value)
  if (property !== undefined) return filter({ name: "is", value: property })
  if (value.toLowerCase() === "unlocked") return without({ name: "is", value: "locked" })
  if (value.toLowerCase() === "unmerged") return without({ name: "is", value: "merged" })
  return kindOf(value) ?? oneOf("is", ["issue", "pr", "open", "closed", "locked", "unlocked", ...properties.slice(1)])
}

const draftOf: Parse = (value) => {
  const isDraft = memberOf(["true", "false"], value)
  if (isDraft === undefined) return oneOf("draft", ["true", "false"])
  return isDraft === "true" ? filter({ name: "is", value: "draft" }) : without({ name: "is", value: "draft" })
}

/** Parses `ORG/TEAM`. */
const requestedTeam: Parse = (value) =>
  /^[^\s/]+\/[^\s/]+$/.test(value)
    ? filter({ name: "team-review-requested", value })
    : write("Write the team with its organization.", "team-review-requested:ORG/TEAM")

const reviewOf: Parse = (value) => {
  const review = memberOf(reviewStates, value.replace("-", "_"))
  return review === undefined ? oneOf("review", reviewStates) : filter({ name: "review", value: review })
}

const reasonOf: Parse = (value) => {
  const reason = memberOf(reasons, value.replace("_", " "))
  return reason === undefined
    ? oneOf("reason", ["completed", '"not planned"', "duplicate"])
    : filter({ name: "reason", value: reason })
}

const language = ItemQualifier.language<Filter, Place, SortName>({
  places,
  sorts: issueSorts,
  lists: ["label"],
  qualifiers: {
    repo: repository,
    user: named("user"),
    org: named("org"),
    author: named("author"),
    assignee: namedOrAny("assignee"),
    mentions: named("mentions"),
    commenter: named("commenter"),
    involves: named("involves"),
    label: named("label"),
    milestone: namedOrAny("milestone"),
    language: named("language"),
    type: (value) => kindOf(value) ?? filter({ name: "type", value }),
    state: choice("state", ["open", "closed"]),
    is: propertyOf,
    draft: draftOf,
    base: named("base"),
    head: named("head"),
    "review-requested": named("review-requested"),
    "user-review-requested": named("user-review-requested"),
    "team-review-requested": requestedTeam,
    "reviewed-by": named("reviewed-by"),
    review: reviewOf,
    archived: flag("archived"),
    reason: reasonOf,
    no: choice("no", metadata),
    comments: numbers("comments"),
    reactions: numbers("reactions"),
    interactions: numbers("interactions"),
    created: dates("created"),
    updated: dates("updated"),
    closed: dates("closed"),
    merged: dates("merged")
  }
})

/** Parses a query. Fails with diagnostics for all errors (at most `MAX_DIAGNOSTICS`) in the order of the text. */
export const parse = (text: string) => ItemQueryParser.parse(language, text)

/** Prints a query. Parsing the text gives the same query. */
export const print = (query: IssueQuery): string => ItemQuery.print(query, places)
