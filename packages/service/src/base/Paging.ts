/** Reads the requested page and writes the `link` header: at most 100 items a page, 30 by default. */
import * as LinkHeader from "@tongs/core/paging/LinkHeader"

export interface PageRequest {
  /** Number of the page, starting at 1. */
  readonly page: number
  /** Number of items per page, from 1 to 100. */
  readonly perPage: number
  /** Number of items before the page. */
  readonly offset: number
}

const DEFAULT_PER_PAGE = 30
const MAX_PER_PAGE = 100

/** Maximum page number: larger than necessary for any list, and small enough that offsets stay exact integers. */
const MAX_PAGE = 1_000_000_000

/** Parses a number. Returns `max` for larger numbers, and `fallback` for numbers below 1 and invalid text. */
const bounded = (text: string | null, fallback: number, max: number): number => {
  const value = text === null || !/^\d{1,15}$/.test(text) ? 0 : Number(text)
  return value < 1 ? fallback : Math.min(value, max)
}

/** Returns the page that a request selects, with `size` items per page if `per_page` is missing, and at most `max`. */
export const request = (query: URLSearchParams, size = DEFAULT_PER_PAGE, max = MAX_PER_PAGE): PageRequest => {
  const page = bounded(query.get("page"), 1, MAX_PAGE)
  const perPage = bounded(query.get("per_page"), size, max)
  return { page, perPage, offset: (page - 1) * perPage }
}

/** Result of a list handler: the items of one page, and the size of the whole list if known. */
export interface Slice<A> {
  readonly items: ReadonlyArray<A>
  /**
   * Number of items in the whole list; if counting costs too much, whether more pages follow, or the adjacent pages.
   */
  readonly total: number | { readonly more: boolean } | Neighbours
  /** Epoch milliseconds of the last change of the list, for the header `last-modified`. */
  readonly modifiedAt?: number
}

/** An item of a list whose JSON can be cached. */
export interface KeyedItem<A> {
  /** All input of `make`, except base URLs. Undefined for an item that must not be cached. */
  readonly key: string | undefined
  readonly make: () => A
}

/** A page of a list. An item is created only if the item's JSON is not cached. */
export interface KeyedSlice<A> extends Pick<Slice<A>, "total"> {
  /** Identifies the whole page, if known without the items. Has the same meaning as the key of an item. */
  readonly key?: string
  readonly keyed: () => ReadonlyArray<KeyedItem<A>>
}

/** Query parameters (`before`, `after` or `cursor`) of the previous and next page, for lists with cursor paging. */
export interface Neighbours {
  readonly prev?: Readonly<Record<string, string>> | undefined
  readonly next?: Readonly<Record<string, string>> | undefined
}

/** Returns one page of a list that is completely in memory. */
export const slice = <A>(all: ReadonlyArray<A>, { offset, perPage }: PageRequest): Slice<A> => ({
  items: all.slice(offset, offset + perPage),
  total: all.length
})

/** Returns the `link` header, or `undefined` for a list of one page. `address` is the request's URL without `query`. */
export const linkHeader = (
  address: string,
  query: URLSearchParams,
  { page, perPage }: PageRequest,
  total: Slice<unknown>["total"]
): string | undefined => {
  if (typeof total === "object" && !("more" in total)) return neighbourLinks(address, query, total)
  const last = typeof total === "number" ? Math.max(1, Math.ceil(total / perPage)) : undefined
  const more = typeof total === "number" ? last !== undefined && page < last : total.more
  if (page === 1 && !more) return undefined
  const target = new URLSearchParams(query)
  target.delete("page")
  const others = target.size === 0 ? "" : `${target.toString()}&`
  const at = (number: number) => `${address}?${others}page=${number}`
  return LinkHeader.print({
    ...(page > 1 ? { prev: at(last === undefined ? page - 1 : Math.min(page - 1, last)) } : {}),
    ...(more ? { next: at(page + 1) } : {}),
    ...(more && last !== undefined ? { last: at(last) } : {}),
    ...(page > 1 ? { first: at(1) } : {})
  })
}

/** Query parameters that select a page. */
const positions = ["before", "after", "cursor", "page"]

const neighbourLinks = (address: string, query: URLSearchParams, { next, prev }: Neighbours): string | undefined => {
  const at = (parameters: Readonly<Record<string, string>>) => {
    const target = new URLSearchParams(query)
    for (const name of positions) target.delete(name)
    for (const [name, value] of Object.entries(parameters)) target.set(name, value)
    return `${address}?${target.toString()}`
  }
  const links = LinkHeader.print({
    ...(prev === undefined ? {} : { prev: at(prev) }),
    ...(next === undefined ? {} : { next: at(next) })
  })
  return links === "" ? undefined : links
}
