/** A list that pages, as lazy streams: nothing is fetched before it is pulled, and nothing after the last that is. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Failure from "../contract/Failure.ts"
import * as LinkHeader from "./LinkHeader.ts"
import type { Page } from "./Page.ts"

export interface Pages<A, E> {
  readonly items: Stream.Stream<A, E>
  /** The pages one by one; each says how far it is of how many (`progress`). */
  readonly pages: Stream.Stream<Page<A>, E>
  /** The first page alone. */
  readonly first: Effect.Effect<Page<A>, E>
}

export interface PageOptions {
  /** Items per page, up to 100; 30 by default. */
  readonly perPage?: number
  /** Goes on from the page after the one that had this cursor. */
  readonly cursor?: string
  /** Ends after so many items; pages end with the one that reaches it. */
  readonly limit?: number
  /** Pages to fetch ahead of the one that is being read; 0 by default. */
  readonly prefetch?: number
}

/** What can also be said of a list whose pages have numbers: any of them can be asked for. */
export interface NumberedPageOptions extends PageOptions {
  /** The first page to read, from 1. */
  readonly page?: number
  /**
   * Pages to ask for at a time, once the first has said how many there are; they are given in their order. 1 by default,
   * and where the forge does not say. A reader that stops has fetched at most so many pages more than it read.
   */
  readonly concurrency?: number
}

export interface PageSource<A, E> {
  /** The name of the request, for failures. */
  readonly request: string
  /** The page at a URL, or the first page, after so many others. */
  readonly fetch: (url: string | undefined, read: number) => Effect.Effect<Page<A>, E>
  /** Where the list starts: nowhere for its first page. */
  readonly start: Effect.Effect<string | undefined, E>
  /** The origin that links may lead to. */
  readonly origin: string
}

export const make = <A, E>(
  source: PageSource<A, E>,
  options: NumberedPageOptions
): Pages<A, E | Failure.UntrustedLink> => {
  const untrusted = (url: string, detail: string) =>
    Effect.fail(new Failure.UntrustedLink({ request: source.request, detail, url: LinkHeader.withoutQuery(url) }))

  // Links and cursors come from elsewhere, and the request that follows them carries the token.
  const fetch = (url: string | undefined, read: number): Effect.Effect<Page<A>, E | Failure.UntrustedLink> =>
    url === undefined || (URL.canParse(url) && new URL(url).origin === source.origin)
      ? source.fetch(url, read)
      : untrusted(url, "the next page is on another origin")

  const { concurrency = 1, limit = Number.POSITIVE_INFINITY, prefetch = 0 } = options

  /** The next place after a page, unless it was the last one that is wanted. */
  const after = ({ items, pages }: Position, page: Page<A>): Position | undefined => {
    const read = items + page.items.length
    return page.links.next === undefined || read >= limit
      ? undefined
      : { url: page.links.next, items: read, pages: pages + 1 }
  }

  const visit = (walk: Traversal, url: string | undefined, pages: number) => {
    if (url === undefined) return fetch(url, pages)
    if (walk.seen.has(url)) return untrusted(url, "the list goes round in a circle")
    walk.seen.add(url)
    for (const oldest of walk.seen) if (walk.seen.size > MAX_SEEN) walk.seen.delete(oldest)
    return Effect.flatMap(fetch(url, pages), (page) => {
      walk.empty = page.items.length === 0 ? walk.empty + 1 : 0
      return walk.empty > MAX_EMPTY_PAGES && page.links.next !== undefined
        ? untrusted(url, `the list goes on after ${MAX_EMPTY_PAGES} empty pages`)
        : Effect.succeed(page)
    })
  }

  const oneByOne = (start: Position) => {
    const walk: Traversal = { seen: new Set(), empty: 0 }
    return Stream.paginate<Position, Page<A>, E | Failure.UntrustedLink>(start, (position) =>
      Effect.map(
        visit(walk, position.url, position.pages),
        (page) => [[page], Option.fromUndefinedOr(after(position, page))] as const
      )
    )
  }

  /** The first page tells how many follow; those are asked for together, and the last of them tells whether there are more by now. */
  const together = (
    start: Position,
    walk: Traversal = { seen: new Set(), empty: 0 }
  ): Stream.Stream<Page<A>, E | Failure.UntrustedLink> =>
    Stream.unwrap(
      Effect.map(visit(walk, start.url, start.pages), (first) => {
        let position = after(start, first)
        const rest = Stream.fromIterable(
          position === undefined ? [] : numberedUrls(first, limit - position.items)
        ).pipe(
          // A page that fails waits for its turn: those before it are given all the same.
          Stream.mapEffect((url, index) => Effect.exit(visit(walk, url, start.pages + 1 + index)), { concurrency }),
          Stream.mapEffect(identity),
          Stream.tap((page) =>
            Effect.sync(() => {
              position = position === undefined ? undefined : after(position, page)
            })
          ),
          Stream.takeUntil(() => position === undefined)
        )
        const more = Stream.suspend(() => (position === undefined ? Stream.empty : together(position, walk)))
        return Stream.succeed(first).pipe(Stream.concat(rest), Stream.concat(more))
      })
    )

  const pages = Stream.unwrap(
    Effect.map(source.start, (url) => {
      const start = { url, items: 0, pages: 0 }
      const all = concurrency > 1 ? together(start) : oneByOne(start)
      return prefetch > 0 ? prefetched(all, prefetch) : all
    })
  )
  const items = Stream.flatMap(pages, (page) => Stream.fromIterable(page.items))
  return {
    pages,
    items: Number.isFinite(limit) ? Stream.take(items, limit) : items,
    first: Effect.flatMap(source.start, (url) => fetch(url, 0))
  }
}

/** The same pages, so many of them asked for ahead of the one that was given last. */
const prefetched = <A, E>(pages: Stream.Stream<A, E>, prefetch: number): Stream.Stream<A, E> =>
  Stream.suspend(() => {
    const room = Semaphore.makeUnsafe(prefetch)
    const next = Stream.transformPull(Stream.rechunk(pages, 1), (pull) =>
      Effect.succeed(Effect.andThen(room.take(1), pull))
    )
    // There is only so much room, whatever the buffer would take.
    return Stream.tap(Stream.buffer(next, { capacity: "unbounded" }), () => room.release(1))
  })

/** Empty pages in a row after which a list that goes on is given up. */
export const MAX_EMPTY_PAGES = 20

/** Pages that are remembered, so that a list that leads back to one of them is noticed. */
const MAX_SEEN = 1_000

/** What a walk over the pages has met. */
interface Traversal {
  readonly seen: Set<string>
  /** Empty pages in a row. */
  empty: number
}

/** Where a walk over the pages is: the next of them, and how many items and pages came before it. */
interface Position {
  readonly url: string | undefined
  readonly items: number
  readonly pages: number
}

/** The pages that follow one, where their number is known, as far as so many more items need. */
function* numberedUrls<A>({ items, links: { last, next } }: Page<A>, wanted: number) {
  const from = LinkHeader.pageNumber(next)
  const to = LinkHeader.pageNumber(last)
  if (next === undefined || from === undefined || to === undefined || items.length === 0) return
  const end = Math.min(to, from + Math.ceil(wanted / items.length) - 1)
  for (let page = from; page <= end; page++) yield LinkHeader.withPageNumber(next, page)
}
