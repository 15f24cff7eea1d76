/** A page of a list, and the cursor. */
import * as Option from "effect/Option"
import * as LinkHeader from "./LinkHeader.ts"

/** One page of a list. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Total number of items in the list; undefined if the forge omits the number. */
  readonly totalCount: number | undefined
  /** True if the forge stopped early, so items may be missing. */
  readonly incompleteResults: boolean
  readonly links: LinkHeader.Links
  /** Continues the list after this page, even in another process. Undefined for the last page. */
  readonly cursor: string | undefined
  readonly progress: Progress
}

/** Progress of reading a list. */
export interface Progress {
  /**
   * Number of pages up to the current one: from the first page, or from the start of reading if the pages have no
   * numbers.
   */
  readonly pages: number
  /** Total number of pages; undefined if the links do not show the number. */
  readonly of: number | undefined
}

/**
 * Creates the cursor that continues after a page with these links; undefined after the last page. A cursor
 * is the encoded URL of the next page, to discourage editing.
 */
export const encodeCursor = (links: LinkHeader.Links): string | undefined => {
  if (links.next === undefined) return undefined
  let binary = ""
  for (const byte of new TextEncoder().encode(JSON.stringify({ next: links.next }))) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** Returns the URL in a valid cursor. Verify the origin of the URL before following it. */
export const decodeCursor = (text: string): Option.Option<string> => {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
    const bytes = Uint8Array.from(binary, (byte) => byte.charCodeAt(0))
    const { next } = Object(JSON.parse(new TextDecoder().decode(bytes)))
    return typeof next === "string" ? Option.some(next) : Option.none()
  } catch {
    return Option.none()
  }
}

/**
 * Creates a page from a decoded body: an array, or an object that contains an array. A missing body is an empty page.
 * `pagesRead` is the number of earlier pages, for lists whose links have no page numbers.
 */
export const make = (body: unknown, links: LinkHeader.Links, pagesRead = 0): Page<unknown> => {
  const envelope = typeof body === "object" && body !== null ? body : {}
  const items = Array.isArray(body) ? body : Object.values(envelope).find(Array.isArray)
  return {
    items: items ?? [],
    totalCount:
      "total_count" in envelope && typeof envelope.total_count === "number" ? envelope.total_count : undefined,
    incompleteResults: "incomplete_results" in envelope && envelope.incomplete_results === true,
    links,
    cursor: encodeCursor(links),
    progress: progress(links, pagesRead)
  }
}

const progress = (links: LinkHeader.Links, pagesRead: number): Progress => {
  const next = LinkHeader.pageNumber(links.next)
  const previous = LinkHeader.pageNumber(links.prev)
  const pages = next === undefined ? (previous ?? pagesRead) + 1 : next - 1
  return { pages, of: links.next === undefined ? pages : LinkHeader.pageNumber(links.last) }
}
