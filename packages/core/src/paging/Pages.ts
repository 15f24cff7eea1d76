/** A paged list as lazy streams, which fetch each page on demand. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Failure from "../contract/Failure.ts"
import * as LazyPages from "./LazyPages.ts"
import * as LinkHeader from "./LinkHeader.ts"
import type { Page } from "./Page.ts"

/** A paged list. */
export interface Pages<A, E> {
  /** All items, page after page. */
  readonly items: Stream.Stream<A, E>
  /** All pages, with totals, cursors and progress. */
  readonly pages: Stream.Stream<Page<A>, E>
  /** The first page. */
  readonly first: Effect.Effect<Page<A>, E>
}

/** Options of reading a list. */
export interface PageOptions {
  /** Number of items per page, up to 100. Default: 30. */
  readonly perPage?: number
  /** Starts after the page with this cursor. */
  readonly cursor?: string
  /** Maximum number of items. The stream of pages ends with the page that reaches this number. */
  readonly limit?: number
  /** Number of pages to fetch ahead of the reader. Default: 0. */
  readonly prefetch?: number
}

/** Options of reading a list with numbered pages. */
export interface NumberedPageOptions extends PageOptions {
  /** Number of the first page to read, from 1. */
  readonly page?: number
  /**
   * Number of pages to fetch concurrently, in order, after the first page has shown the total number of pages.
   * Default: 1, which also applies if the forge does not send the total. When the reader stops, at most this many
   * unread pages have been fetched.
   */
  readonly concurrency?: number
}

/** Fetches the pages of a list. */
export interface PageSource<A, E> {
  /** The name of the request, for failures. */
  readonly request: string
  /** Fetches the page at a URL, or the first page. `pagesRead` is the number of earlier pages. */
  readonly fetch: (url: string | undefined, pagesRead: number) => Effect.Effect<Page<A>, E>
  /** URL of the page to start with; undefined to start with the first page. */
  readonly start: Effect.Effect<string | undefined, E>
  /** The only origin whose links are followed. */
  readonly origin: string
}

/** Creates a paged list. Fails with `UntrustedLink` for a link to another origin, a cycle, or too many empty pages. */
export const make = <A, E>(
  source: PageSource<A, E>,
  options: NumberedPageOptions
): Pages<A, E | Failure.UntrustedLink> => {
  const untrusted = (url: string, detail: string) =>
    Effect.fail(new Failure.UntrustedLink({ request: source.request, detail, url: LinkHeader.withoutQuery(url) }))

  // Links and cursors are untrusted, and a request to a link's URL carries the token.
  const fetch = (url: string | undefined, pagesRead: number): Effect.Effect<Page<A>, E | Failure.UntrustedLink> =>
    url === undefined || (URL.canParse(url) && new URL(url).origin === source.origin)
      ? source.fetch(url, pagesRead)
      : untrusted(url, "the next page is on another origin")

  const { concurrency = 1, limit = Number.POSITIVE_INFINITY, prefetch = 0 } = options

  /** Returns the position after a page; undefined after the last page and at the limit. */
  const after = ({ items, pages }: Position, page: Page<A>): Position | undefined => {
    const read = items + page.items.length
    return page.links.next === undefined || read >= limit
      ? undefined
      : { url: page.links.next, items: read, pages: pages + 1 }
  }

  const visit = (traversal: Traversal, url: string | undefined, pages: number) => {
    if (url === undefined) return fetch(url, pages)
    if (traversal.seen.has(url)) return untrusted(url, "the links of the list form a cycle")
    traversal.seen.add(url)
    for (const oldest of traversal.seen) if (traversal.seen.size > MAX_SEEN) traversal.seen.delete(oldest)
    return Effect.flatMap(fetch(url, pages), (page) => {
      traversal.empty = page.items.length === 0 ? traversal.empty + 1 : 0
      return traversal.empty > MAX_EMPTY_PAGES && page.links.next !== undefined
        ? untrusted(url, `the list continues after ${MAX_EMPTY_PAGES} empty pages`)
        : Effect.succeed(page)
    })
  }

  const sequential = (start: Position) => {
    const traversal: Traversal = { seen: new Set(), empty: 0 }
    return Stream.paginate<Position, Page<A>, E | Failure.UntrustedLink>(start, (position) =>
      Effect.map(
        visit(traversal, position.url, position.pages),
        (page) => [[page], Option.fromUndefinedOr(after(position, page))] as const
      )
    )
  }

  /**
   * Concurrently fetches the pages whose number the first page shows, then continues if the last one links to a next
   * page.
   */
  const concurrent = (
    start: Position,
    traversal: Traversal = { seen: new Set(), empty: 0 }
  ): Stream.Stream<Page<A>, E | Failure.UntrustedLink> =>
    Stream.unwrap(
      Effect.map(visit(traversal, start.url, start.pages), (first) => {
        let position = after(start, first)
        const rest = Stream.fromIterable(
          position === undefined ? [] : numberedUrls(first, limit - position.items)
        ).pipe(
          // If a page fails, the stream first emits the earlier pages.
          Stream.mapEffect((url, index) => Effect.exit(visit(traversal, url, start.pages + 1 + index)), {
            concurrency
          }),
          Stream.mapEffect(identity),
          Stream.tap((page) =>
            Effect.sync(() => {
              position = position === undefined ? undefined : after(position, page)
            })
          ),
          Stream.takeUntil(() => position === undefined)
        )
        const more = Stream.suspend(() => (position === undefined ? Stream.empty : concurrent(position, traversal)))
        return Stream.succeed(first).pipe(Stream.concat(rest), Stream.concat(more))
      })
    )

  const streams = () => {
    const pages = Stream.unwrap(
      Effect.map(source.start, (url) => {
        const start = { url, items: 0, pages: 0 }
        const all = concurrency > 1 ? concurrent(start) : sequential(start)
        return prefetch > 0 ? prefetched(all, prefetch) : all
      })
    )
    const items = Stream.flatMap(pages, (page) => Stream.fromIterable(page.items))
    return { pages, items: Number.isFinite(limit) ? Stream.take(items, limit) : items }
  }
  return LazyPages.make(
    Effect.flatMap(source.start, (url) => fetch(url, 0)),
    streams
  )
}

/** Fetches up to `prefetch` pages ahead of the reader. */
const prefetched = <A, E>(pages: Stream.Stream<A, E>, prefetch: number): Stream.Stream<A, E> =>
  Stream.suspend(() => {
    const room = Semaphore.makeUnsafe(prefetch)
    const next = Stream.transformPull(Stream.rechunk(pages, 1), (pull) =>
      Effect.succeed(Effect.andThen(room.take(1), pull))
    )
    // The semaphore bounds the buffer.
    return Stream.tap(Stream.buffer(next, { capacity: "unbounded" }), () => room.release(1))
  })

/** Consecutive empty pages after which a list fails. */
export const MAX_EMPTY_PAGES = 20

/** Maximum number of page URLs remembered to detect cycles. */
const MAX_SEEN = 1_000

/** State of reading a list, for detecting lists without end. */
interface Traversal {
  readonly seen: Set<string>
  /** Number of consecutive empty pages. */
  empty: number
}

/** The next page of a list, and the number of earlier items and pages. */
interface Position {
  readonly url: string | undefined
  readonly items: number
  readonly pages: number
}

/**
 * Generates the URLs of the pages after a page, up to the last page or the number of wanted items. None if pages have
 * no numbers.
 */
function* numberedUrls<A>({ items, links: { last, next } }: Page<A>, wanted: number) {
  const from = LinkHeader.pageNumber(next)
  const to = LinkHeader.pageNumber(last)
  if (next === undefined || from === undefined || to === undefined || items.length === 0) return
  const end = Math.min(to, from + Math.ceil(wanted / items.length) - 1)
  for (let page = from; page <= end; page++) yield LinkHeader.withPageNumber(next, page)
}
