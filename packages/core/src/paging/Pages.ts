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
  /** Ends after so many items. */
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

  const step = (seen: Set<string>) => (url: string | undefined) =>
    Effect.flatMap(source.fetch(url), (page) => {
      const next = page.links.next
      if (next === undefined) return Effect.succeed([[page], Option.none<string>()] as const)
      const origin = URL.canParse(next) ? new URL(next).origin : undefined
      if (origin !== source.origin) return untrusted(next, "the next page is on another origin")
      if (seen.has(next)) return untrusted(next, "the list goes round in a circle")
      seen.add(next)
      return Effect.succeed([[page], Option.some(next)] as const)
    })

  const limit = options.limit ?? Number.POSITIVE_INFINITY
  const pages = Stream.unwrap(
    Effect.map(source.start, (start) => {
      const seen = new Set(start === undefined ? [] : [start])
      const all = Stream.paginate(start, step(seen))
      const ahead = options.prefetch ?? 0
      return ahead > 0 ? Stream.buffer(all, { capacity: ahead }) : all
    })
  )
  const items = pages.pipe(Stream.flatMap((page) => Stream.fromIterable(page.items)))
  return {
    pages,
    items: Number.isFinite(limit) ? Stream.take(items, limit) : items,
    first: Effect.flatMap(source.start, source.fetch)
  }
}
