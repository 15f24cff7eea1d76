/** One page of a list, and where it leads (spec part 1 §1.4). */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"
import * as LinkHeader from "./LinkHeader.ts"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** How many items there are on all pages, where the forge says. */
  readonly totalCount: number | undefined
  /** True when the forge stopped early: there may be more. */
  readonly incompleteResults: boolean
  readonly links: LinkHeader.Links
  /** From where another call, or another process, can go on; none after the last page. */
  readonly cursor: string | undefined
  readonly progress: Progress
}

/** How far a list has been read. */
export interface Progress {
  /** Pages so far, this one included: from the first, or, in a list whose pages have no numbers, from where reading began. */
  readonly pages: number
  /** Of how many, where the links say. */
  readonly of: number | undefined
}

/** A cursor is the next page's URL, in a wrapping that says: give it back as it is. */
const CursorJson = Schema.fromJsonString(Schema.Struct({ next: Schema.String }))
const decodeCursorJson = Schema.decodeUnknownOption(CursorJson)

export const encodeCursor = (links: LinkHeader.Links): string | undefined =>
  links.next === undefined ? undefined : Base64Url.encode(JSON.stringify({ next: links.next }))

/** The URL that a cursor leads to. Whoever follows it checks where that is: a cursor may come from anywhere. */
export const decodeCursor = (text: string): Option.Option<string> =>
  Result.getSuccess(Base64Url.decodeString(text)).pipe(
    Option.flatMap(decodeCursorJson),
    Option.map(({ next }) => next)
  )

/**
 * Reads a decoded body: a bare array, or an object with one array in it; nothing at all is an empty page. `read` is how
 * many pages were read before it: it counts where the links have no numbers.
 */
export const make = (body: unknown, links: LinkHeader.Links, read = 0): Page<unknown> => {
  const envelope = typeof body === "object" && body !== null ? body : {}
  const items = Array.isArray(body) ? body : Object.values(envelope).find(Array.isArray)
  return {
    items: items ?? [],
    totalCount:
      "total_count" in envelope && typeof envelope.total_count === "number" ? envelope.total_count : undefined,
    incompleteResults: "incomplete_results" in envelope && envelope.incomplete_results === true,
    links,
    cursor: encodeCursor(links),
    progress: progress(links, read)
  }
}

const progress = (links: LinkHeader.Links, read: number): Progress => {
  const next = LinkHeader.pageNumber(links.next)
  const previous = LinkHeader.pageNumber(links.prev)
  const pages = next === undefined ? (previous ?? read) + 1 : next - 1
  return { pages, of: links.next === undefined ? pages : LinkHeader.pageNumber(links.last) }
}
