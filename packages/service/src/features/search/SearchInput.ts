/** The parameters and the page of the searches for items. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { TextMatch } from "@tongs/core/contract/SearchPage"
import type { Diagnostic } from "@tongs/core/query/Diagnostic"
import { type AnyFilter, type Condition, filters, type ItemQuery } from "@tongs/core/query/items/ItemQuery"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as TextRanges from "../../issues/TextRanges.ts"
import * as Fragments from "../../search/Fragments.ts"
import * as SearchResults from "../../search/SearchResults.ts"
import * as SearchErrors from "./SearchErrors.ts"

/** Parameters of the order. */
export interface Order<SortName> {
  readonly sort?: SortName
  readonly order?: "asc" | "desc"
}

/** Parameters of a search with these orders. */
export interface Input<Sorts extends ReadonlyArray<string>> extends Order<Sorts[number]> {
  readonly q: string
}

/** A part of the results. */
export interface Range {
  readonly offset: number
  readonly limit: number
}

/** A page of results, and the number of all. */
export interface Found<Item> {
  readonly items: ReadonlyArray<Item>
  readonly total: number
  /** True if a limit of time ended the search. */
  readonly isIncomplete: boolean
}

/** Returns the query with the order of the parameters, or the errors of the query. */
export const query = <Filter, Place, SortName>(
  parsed: Result.Result<ItemQuery<Filter, Place, SortName>, ReadonlyArray<Diagnostic>>,
  { order = "desc", sort }: Order<SortName>
) =>
  Result.match(parsed, {
    onFailure: (problems) => SearchErrors.refuse(problems.map(({ message }) => message)),
    onSuccess: (found) => Effect.succeed(sort === undefined ? found : { ...found, sort: { by: sort, order } })
  })

/** Returns the part of the results that a page shows. Fails for a page after the last result. */
export const range = ({ page: { offset, perPage } }: RequestContext) =>
  Effect.as(SearchErrors.requireOffset(offset), {
    offset,
    limit: Math.min(perPage, SearchResults.MAX_RESULTS - offset)
  })

/** Creates the response. */
export const page = <Item>({ isIncomplete, items, total }: Found<Item>) => ({
  items,
  total: Math.min(total, SearchResults.MAX_RESULTS),
  wrap: (items: ReadonlyArray<Item>) => ({ total_count: total, incomplete_results: isIncomplete, items })
})

/** A text of a result. */
export interface ItemText {
  readonly property: TextMatch["property"]
  readonly text: string | null
}

/** Returns the member with the fragments in which the words of a query are, for the text-match media type. */
export const textMatches = <Filter>(
  condition: Condition<Filter>,
  { mediaType }: RequestContext,
  object: Pick<TextMatch, "object_type" | "object_url">,
  texts: ReadonlyArray<ItemText>
): { readonly text_matches?: ReadonlyArray<TextMatch> } => {
  if (mediaType !== "text-match") return {}
  return {
    text_matches: texts.flatMap(({ property, text }) =>
      Fragments.make(text ?? "", TextRanges.find(text ?? "", condition)).map((fragment): TextMatch => ({
        ...object,
        property,
        ...fragment
      }))
    )
  }
}

/** True if a condition has a filter with one of the names. */
export const hasFilter = <Filter extends AnyFilter>(
  condition: Condition<Filter>,
  ...names: ReadonlyArray<Filter["name"]>
) => filters(condition).some(({ filter }) => names.includes(filter.name))

/** True if a number or a time is within a range. */
export const isWithin = <A extends number | string>(
  value: A,
  range: { readonly min?: A; readonly max?: A; readonly from?: A; readonly to?: A }
): boolean => {
  const { from = range.min, to = range.max } = range
  return (from === undefined || value >= from) && (to === undefined || value <= to)
}

/** Compares the keys of an order. Equal keys continue with the next. */
export const compareKeys = (a: ReadonlyArray<number | string>, b: ReadonlyArray<number | string>): number => {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? one
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
