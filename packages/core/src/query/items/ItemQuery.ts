/**
 * The query language of the searches for items: issues and pull requests, repositories, users, commits, labels and
 * topics. It has words, `"quoted phrases"`, qualifiers, `AND`, `OR`, `NOT` and parentheses. Each search has its own
 * qualifiers.
 *
 * **Details**
 *
 * Adjacent conditions must all match, like conditions with `AND`; `OR` binds weaker. Operators are upper case. A minus
 * negates a word, a phrase, a qualifier or a group. Adjacent `repo`, `user` and `org` qualifiers are alternatives, and so
 * are adjacent qualifiers of a name in `repeatable`. A word with an unknown qualifier name (`std::vector`, `http://x`) is
 * a text.
 */
import * as Qualifier from "../Qualifier.ts"

/** A condition on metadata. Bounds are inclusive; times are `YYYY-MM-DDTHH:MM:SSZ`. */
export type AnyFilter = { readonly name: string } & (
  | { readonly value: string }
  | { readonly min?: number; readonly max?: number }
  | { readonly from?: string; readonly to?: string }
)

/** A condition on an item. `And` without parts matches all items. */
export type Condition<Filter> =
  | { readonly _tag: "And" | "Or"; readonly parts: ReadonlyArray<Condition<Filter>> }
  | { readonly _tag: "Not"; readonly part: Condition<Filter> }
  | Leaf<Filter>

/** A condition without parts. */
export type Leaf<Filter> =
  /** The words of the text, one after the other. */
  { readonly _tag: "Text"; readonly text: string } | { readonly _tag: "Filter"; readonly filter: Filter }

/** The order of results. */
export interface Sort<Name> {
  readonly by: Name
  readonly order: "asc" | "desc"
}

/** A parsed query. */
export interface ItemQuery<Filter, Place, SortName> {
  readonly condition: Condition<Filter>
  /** Where texts are searched. */
  readonly places: ReadonlyArray<Place>
  /** Undefined for the best match first. */
  readonly sort: Sort<SortName> | undefined
}

/** Qualifiers that are alternatives beside each other, whatever their names. */
const locations: ReadonlySet<string> = new Set(["repo", "user", "org"])

/** Qualifiers of which several of one name are alternatives beside each other. An item has one value. */
const repeatable: ReadonlySet<string> = new Set(["involves", "language", "license"])

const groupOf = <Filter extends AnyFilter>(condition: Condition<Filter>): string | undefined => {
  if (condition._tag !== "Filter") return undefined
  const { name } = condition.filter
  return locations.has(name) ? "location" : repeatable.has(name) ? name : undefined
}

const flat = <Filter>(tag: "And" | "Or", parts: ReadonlyArray<Condition<Filter>>): ReadonlyArray<Condition<Filter>> =>
  parts.flatMap((part) => (part._tag === tag ? part.parts : [part]))

/** Joins conditions that must all match, and that are adjacent in a query. */
export const and = <Filter extends AnyFilter>(parts: ReadonlyArray<Condition<Filter>>): Condition<Filter> => {
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
export const or = <Filter>(parts: ReadonlyArray<Condition<Filter>>): Condition<Filter> => {
  const all = flat("Or", parts)
  const [only] = all
  return all.length === 1 && only !== undefined ? only : { _tag: "Or", parts: all }
}

/** Negates a condition. */
export const not = <Filter>(part: Condition<Filter>): Condition<Filter> =>
  part._tag === "Not" ? part.part : { _tag: "Not", part }

/**
 * Tests an item. `test` tests the conditions without parts, and returns undefined for a condition that is not known yet.
 * The result is undefined if it depends on those.
 */
export const evaluate = <Filter>(
  self: Condition<Filter>,
  test: (leaf: Leaf<Filter>) => boolean | undefined
): boolean | undefined => {
  switch (self._tag) {
    case "And":
    case "Or": {
      const decisive = self._tag === "Or"
      let result: boolean | undefined = !decisive
      for (const part of self.parts) {
        const found = evaluate(part, test)
        if (found === decisive) return decisive
        if (found === undefined) result = undefined
      }
      return result
    }
    case "Not": {
      const found = evaluate(self.part, test)
      return found === undefined ? undefined : !found
    }
    default:
      return test(self)
  }
}

/** Returns the texts of a condition that are not negated. */
export const positiveTexts = <Filter>(self: Condition<Filter>): ReadonlyArray<string> => {
  switch (self._tag) {
    case "And":
    case "Or":
      return self.parts.flatMap(positiveTexts)
    case "Text":
      return [self.text]
    default:
      return []
  }
}

/** Returns the texts of a condition, negated or not. */
export const texts = <Filter>(self: Condition<Filter>): ReadonlyArray<string> => {
  switch (self._tag) {
    case "And":
    case "Or":
      return self.parts.flatMap(texts)
    case "Not":
      return texts(self.part)
    case "Text":
      return [self.text]
    case "Filter":
      return []
  }
}

/** Returns the filters of a condition, with `isNegated` for those within a `Not`. */
export const filters = <Filter>(
  self: Condition<Filter>,
  isNegated = false
): ReadonlyArray<{ readonly filter: Filter; readonly isNegated: boolean }> => {
  switch (self._tag) {
    case "And":
    case "Or":
      return self.parts.flatMap((part) => filters(part, isNegated))
    case "Not":
      return filters(self.part, !isNegated)
    case "Filter":
      return [{ filter: self.filter, isNegated }]
    case "Text":
      return []
  }
}

/** Prints a query with the usual places of the search. Parsing the text gives the same query. */
export const print = <Filter extends AnyFilter>(
  { condition, places, sort }: ItemQuery<Filter, string, string>,
  usual: ReadonlyArray<string>
): string =>
  [
    printCondition(condition),
    places.length === usual.length && places.every((place) => usual.includes(place)) ? "" : `in:${places.join(",")}`,
    sort === undefined ? "" : `sort:${sort.by}-${sort.order}`
  ]
    .filter((part) => part !== "")
    .join(" ")

const printCondition = <Filter extends AnyFilter>(self: Condition<Filter>): string => {
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

const printPart = <Filter extends AnyFilter>(part: Condition<Filter>): string =>
  part._tag === "And" ? `(${printCondition(part)})` : printCondition(part)

const printLabels = <Filter extends AnyFilter>(parts: ReadonlyArray<Condition<Filter>>): string | undefined => {
  const labels = parts.flatMap((part) =>
    part._tag === "Filter" && part.filter.name === "label" && "value" in part.filter ? [part.filter.value] : []
  )
  return labels.length === parts.length ? `label:${labels.map(printValue).join(",")}` : undefined
}

const printValue = (value: string): string => (/^[^\s"(),\\]+$/.test(value) ? value : Qualifier.quote(value))

const printFilter = (filter: AnyFilter): string => {
  if ("value" in filter) return `${filter.name === "kind" ? "is" : filter.name}:${printValue(filter.value)}`
  const [from, to] = "min" in filter || "max" in filter ? [filter.min, filter.max] : boundsOf(filter)
  return `${filter.name}:${from ?? "*"}..${to ?? "*"}`
}

const boundsOf = (filter: object) =>
  "from" in filter || "to" in filter ? [member(filter, "from"), member(filter, "to")] : []

const member = (filter: object, name: "from" | "to"): string | undefined => {
  const value: unknown = Reflect.get(filter, name)
  return typeof value === "string" ? value : undefined
}
