/** The tables of qualifiers of the searches, and the values that several searches have: `repo:a/b`, `stars:>10`. */
import { remove, write, type QueryProblem } from "../QueryProblem.ts"
import type { AnyFilter, Condition, Sort } from "./ItemQuery.ts"
import * as ItemQuery from "./ItemQuery.ts"
import * as QueryRange from "./QueryRange.ts"

/** The meaning of a qualifier: a condition, an option of the whole query, or a problem. */
export type Meaning<Filter, Place, SortName> =
  | { readonly condition: Condition<Filter> }
  | { readonly places: ReadonlyArray<Place> }
  | { readonly sort: Sort<SortName> }
  | QueryProblem

/** Parses a value of the qualifier `name`. */
export type Parse<Filter, Place = never, SortName = never> = (
  value: string,
  name: string
) => Meaning<Filter, Place, SortName>

/** The language of a search. */
export interface Language<Filter extends AnyFilter, Place extends string, SortName extends string> {
  readonly qualifiers: ReadonlyMap<string, Parse<Filter, Place, SortName>>
  /** Names of qualifiers with several values, separated by commas, which are alternatives. */
  readonly lists: ReadonlySet<string>
  /** All places, in the order of a parsed query. */
  readonly places: ReadonlyArray<Place>
  /** The places without `in:`. */
  readonly usualPlaces: ReadonlyArray<Place>
}

/** The parts of a language. */
interface Definition<Filter extends AnyFilter, Place extends string, SortName extends string> {
  readonly qualifiers: Readonly<Record<string, Parse<Filter, Place, SortName>>>
  readonly lists?: ReadonlyArray<string>
  readonly places?: ReadonlyArray<Place>
  readonly usualPlaces?: ReadonlyArray<Place>
  readonly sorts?: ReadonlyArray<SortName>
}

/** Names of all qualifiers of GitHub's searches for items. A search rejects those that it does not have. */
export const names: ReadonlyArray<string> = [
  "archived assignee author author-date author-email author-name base closed comments commenter committer",
  "committer-date committer-email committer-name created draft followers fork forks fullname good-first-issues has",
  "hash head help-wanted-issues in interactions involves is label language license linked location mentions merge",
  "merged milestone mirror no org parent project pushed reactions reason repo repos repositories review",
  "review-requested reviewed-by size sort stars state status team team-review-requested template topic topics tree",
  "type updated user user-review-requested"
].flatMap((line) => line.split(" "))

/** Matches the name and colon of a qualifier. `type::x` and `in://x` are texts. */
export const pattern = new RegExp(`(${names.join("|")}):(?!:|//)`, "iy")

/** Creates the language of a search. */
export const language = <Filter extends AnyFilter, Place extends string = never, SortName extends string = never>({
  lists = [],
  places = [],
  qualifiers,
  sorts = [],
  usualPlaces = places
}: Definition<Filter, Place, SortName>): Language<Filter, Place, SortName> => ({
  qualifiers: new Map<string, Parse<Filter, Place, SortName>>([
    ...Object.entries(qualifiers),
    ...(places.length === 0 ? [] : [["in", placeIn(places)] as const]), // a pair
    ...(sorts.length === 0 ? [] : [["sort", sortOf(sorts)] as const]) // a pair
  ]),
  lists: new Set([...lists, "in"]),
  places,
  usualPlaces
})

/** Parses the values of a qualifier. */
export const parse = <Filter extends AnyFilter, Place extends string, SortName extends string>(
  { qualifiers }: Language<Filter, Place, SortName>,
  name: string,
  values: ReadonlyArray<string>
): Meaning<Filter, Place, SortName> => {
  const parseOne = qualifiers.get(name)
  if (parseOne === undefined) return remove(name, "this search does not support it")
  if (values.some((one) => one.trim() === "")) {
    return { message: `Write a value right after ${name}: (no space between), or put the word in quotation marks.` }
  }
  const conditions: Array<Condition<Filter>> = []
  const places: Array<Place> = []
  for (const value of values) {
    const meaning = parseOne(value, name)
    if ("condition" in meaning) conditions.push(meaning.condition)
    else if ("places" in meaning) places.push(...meaning.places)
    else return meaning
  }
  return conditions.length > 0 ? { condition: ItemQuery.or(conditions) } : { places }
}

/** Creates the meaning of a condition on metadata. */
export const filter = <const Filter extends AnyFilter>(one: Filter) => ({
  condition: { _tag: "Filter", filter: one } as const // literal types
})

/** Creates the meaning of a negated condition. */
export const without = <const Filter extends AnyFilter>(one: Filter) => ({
  condition: ItemQuery.not<Filter>({ _tag: "Filter", filter: one })
})

/** Creates the parser of a qualifier whose value is a name. */
export const named =
  <const Name extends string>(name: Name) =>
  (value: string) =>
    filter({ name, value })

/** Parses `OWNER/NAME`. */
export const repository = (value: string) =>
  /^[^\s/]+\/[^\s/]+$/.test(value)
    ? filter({ name: "repo", value })
    : write("Write the repository with its owner.", "repo:OWNER/NAME")

/** Creates the parser of a qualifier whose value is a range of numbers. */
export const numbers =
  <const Name extends string>(name: Name) =>
  (value: string) => {
    const range = QueryRange.numbers(name, value)
    return "message" in range ? range : filter({ name, ...range })
  }

/** Creates the parser of a qualifier whose value is a range of times. */
export const dates =
  <const Name extends string>(name: Name) =>
  (value: string) => {
    const range = QueryRange.dates(name, value)
    return "message" in range ? range : filter({ name, ...range })
  }

/** Creates the parser of a qualifier that is `true` or `false`. */
export const flag =
  <const Name extends string>(name: Name) =>
  (value: string) => {
    const is = memberOf(["true", "false"], value)
    const one = { name, value: "true" } as const // literal types
    return is === undefined ? oneOf(name, ["true", "false"]) : is === "true" ? filter(one) : without(one)
  }

/** Creates the parser of a qualifier with some values. */
export const choice =
  <const Name extends string, const Value extends string>(name: Name, values: ReadonlyArray<Value>) =>
  (written: string) => {
    const value = memberOf(values, written)
    return value === undefined ? oneOf(name, values) : filter({ name, value })
  }

const placeIn =
  <Place extends string>(places: ReadonlyArray<Place>) =>
  (value: string): { readonly places: ReadonlyArray<Place> } | QueryProblem => {
    const place = memberOf(places, value) ?? memberOf(places, `${value}s`)
    return place === undefined ? oneOf("in", places) : { places: [place] }
  }

const sortOf =
  <SortName extends string>(sorts: ReadonlyArray<SortName>) =>
  (value: string): { readonly sort: Sort<SortName> } | QueryProblem => {
    const [, written = "", order] = /^(.+?)(?:-(asc|desc))?$/i.exec(value) ?? []
    const by = memberOf(sorts, written)
    const [first = "", second = "", ...others] = sorts
    return by === undefined
      ? oneOf("sort", [first, `${second}-asc`, ...others])
      : { sort: { by, order: order?.toLowerCase() === "asc" ? "asc" : "desc" } }
  }

/** Returns the value that a written one means, in any case. */
export const memberOf = <A extends string>(values: ReadonlyArray<A>, written: string): A | undefined =>
  values.find((value) => value === written.toLowerCase())

/** Creates the error for a value that is not in a list of valid values. */
export const oneOf = (name: string, values: ReadonlyArray<string>): QueryProblem => {
  const written = values.map((value) => `${name}:${value}`)
  const last = written.at(-1) ?? ""
  return { message: `Write ${written.length === 1 ? last : `${written.slice(0, -1).join(", ")} or ${last}`}.` }
}
