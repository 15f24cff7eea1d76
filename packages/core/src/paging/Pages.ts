/** A list that pages, as lazy streams: nothing is fetched before it is pulled, and nothing after the last that is. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../contract/Failure.ts"
import type { Page } from "./Page.ts"

export interface Pages<A, E> {
  readonly items: Stream.Stream<A, E>
  readonly pages: Stream.Stream<Page<A>, E>
  /** The first page alone. */
  readonly first: Effect.Effect<Page<A>, E>
}

export interface PageOptions {
  /** Items a page, up to 100; 30 by default. */
  readonly perPage?: number
  /** The first page to read, from 1, of a list whose pages have numbers. */
  readonly page?: number
  /** Goes on from the page after the one that had this cursor. */
  readonly cursor?: string
  /** Ends after so many items; pages end with the one that reaches it. */
  readonly limit?: number
  /** Pages to fetch ahead of the one that is being read; 0 by default. */
  readonly prefetch?: number
}

export interface Source<A, E> {
  /** The name of the request, for failures. */
  readonly request: string
  /** The page at a URL, or the first page. */
  readonly fetch: (url: string | undefined) => Effect.Effect<Page<A>, E>
  /** Where the list starts: nowhere for its first page. */
  readonly start: Effect.Effect<string | undefined, E>
  /** The origin that links may lead to. */
  readonly origin: string
}

export const make = <A, E>(source: Source<A, E>, options: PageOptions): Pages<A, E | Failure.UntrustedLink> => {
  const untrusted = (url: string, detail: string) =>
    Effect.fail(new Failure.UntrustedLink({ request: source.request, detail, url }))

  // Links and cursors come from elsewhere, and the request that follows them carries the token.
  const fetch = (url: string | undefined): Effect.Effect<Page<A>, E | Failure.UntrustedLink> =>
    url === undefined || (URL.canParse(url) && new URL(url).origin === source.origin)
      ? source.fetch(url)
      : untrusted(url, "the next page is on another origin")

  const limit = options.limit ?? Number.POSITIVE_INFINITY

  const step =
    (seen: Set<string>) =>
    ({ count, url }: Position) => {
      if (url !== undefined && seen.has(url)) return untrusted(url, "the list goes round in a circle")
      if (url !== undefined) seen.add(url)
      return Effect.map(fetch(url), (page) => {
        const next = { url: page.links.next, count: count + page.items.length }
        const isLast = next.url === undefined || next.count >= limit
        return [[page], isLast ? Option.none<Position>() : Option.some<Position>(next)] as const
      })
    }

  const pages = Stream.unwrap(
    Effect.map(source.start, (url) => {
      const all = Stream.paginate<Position, Page<A>, E | Failure.UntrustedLink>({ url, count: 0 }, step(new Set()))
      const ahead = options.prefetch ?? 0
      // A full buffer is handed on whole while it fills again: twice its capacity are ahead.
      return ahead > 0 ? Stream.buffer(all, { capacity: Math.ceil(ahead / 2) }) : all
    })
  )
  const items = Stream.flatMap(pages, (page) => Stream.fromIterable(page.items))
  return {
    pages,
    items: Number.isFinite(limit) ? Stream.take(items, limit) : items,
    first: Effect.flatMap(source.start, fetch)
  }
}

/** Where a walk over the pages is: the next of them, and how many items came before it. */
interface Position {
  readonly url: string | undefined
  readonly count: number
}
