/**
 * A paged list that creates a stream only on demand. Creating a stream takes as long as the rest of a call, and V8
 * frees the memory only in a major garbage collection. A call that reads only the first page needs no stream.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Page } from "./Page.ts"

interface Streams<A, E> {
  readonly items: Stream.Stream<A, E>
  readonly pages: Stream.Stream<Page<A>, E>
}

/** Creates a list. Calls `streams` for each access to `items` or `pages`. */
export const make = <A, E>(first: Effect.Effect<Page<A>, E>, streams: () => Streams<A, E>): LazyPages<A, E> =>
  new LazyPages(first, streams)

class LazyPages<A, E> implements Streams<A, E> {
  readonly first: Effect.Effect<Page<A>, E>
  private readonly streams: () => Streams<A, E>
  constructor(first: Effect.Effect<Page<A>, E>, streams: () => Streams<A, E>) {
    this.first = first
    this.streams = streams
  }
  get items() {
    return this.streams().items
  }
  get pages() {
    return this.streams().pages
  }
}
