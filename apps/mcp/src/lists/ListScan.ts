/**
 * Reads several lists of the forge one after another, and keeps the items that a tool wants. Unlike a page, an answer
 * then has the requested number of items, if enough items exist.
 */
import * as Effect from "effect/Effect"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import type { Answer, Item, Position } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import type * as Listing from "./Listing.ts"

/** A list of the forge. */
export interface Source {
  /** Reads a page. Items that the tool does not want are undefined. */
  readonly read: (options: {
    readonly perPage: number
    readonly cursor?: string
    readonly deadline: number
  }) => Effect.Effect<Page<Item | undefined>, Failure.Failure>
}

/** Creates a source. `show` returns undefined for an item that the tool does not want. */
export const source = <A>(fetch: Listing.Fetch<A, Failure.Failure>, show: (item: A) => Item | undefined): Source => ({
  read: (options) => Effect.map(fetch(options).first, (page) => ({ ...page, items: page.items.map(show) }))
})

/** Maximum number of pages that one call reads. */
const MAX_PAGES = 10

/** Reads the sources from the position of the call, until `limit` items are found. */
export const read = Effect.fnUntraced(function* (
  call: Pick<Call, "deadline" | "keepPartial" | "position" | "reportProgress">,
  sources: readonly [Source, ...ReadonlyArray<Source>],
  { limit, perPage, ...partial }: Pick<Answer, "noun" | "source"> & { readonly limit: number; readonly perPage: number }
) {
  const found: Array<{ readonly item: Item; readonly after: Position }> = []
  let scanned = 0
  let total: number | undefined

  /** Returns the items found so far. The remaining items continue at `rest`. */
  const part = (rest: ListPosition | undefined) => {
    const items = found.map(({ item }) => item)
    const next = (shown: number) => {
      const position = shown === items.length ? rest && positionOf(rest) : found[shown - 1]?.after
      return position === undefined ? undefined : { position }
    }
    // `scanned` also counts items that the tool does not want, `total` the items of the last list as counted by the
    // forge.
    return { items, next, scanned, total }
  }

  let at: ListPosition | undefined = listPositionOf(call.position)
  for (let pages = 0; pages < MAX_PAGES && at !== undefined && found.length < limit; pages++) {
    const start: ListPosition = at
    const source = sources[start.source]
    if (source === undefined) break
    const page = yield* source.read({
      perPage,
      deadline: call.deadline,
      ...(start.cursor === undefined ? {} : { cursor: start.cursor })
    })
    total = page.totalCount
    for (const [index, item] of page.items.entries()) {
      if (index < start.skip || found.length >= limit) continue
      scanned += 1
      at = { ...start, skip: index + 1 }
      if (item !== undefined) found.push({ item, after: positionOf(at) })
    }
    if (at.skip >= page.items.length) at = nextPosition(start, page.cursor, sources.length)
    const { items, next } = part(at)
    yield* call.keepPartial({ ...partial, items, next })
    yield* call.reportProgress(items.length, undefined, `of ${scanned} items read`)
  }
  return part(at)
})

/** Where to continue: a source, a page of the source, and the number of items of the page to skip. */
interface ListPosition {
  readonly source: number
  readonly cursor: string | undefined
  readonly skip: number
}

const listPositionOf = (position: Position | undefined): ListPosition => {
  const [source = "0", cursor = ""] = (position?.page ?? "").split(" ")
  return { source: Number(source), cursor: cursor === "" ? undefined : cursor, skip: position?.skip ?? 0 }
}

const positionOf = ({ cursor = "", skip, source }: ListPosition): Position => ({ page: `${source} ${cursor}`, skip })

const nextPosition = (
  { source }: ListPosition,
  cursor: string | undefined,
  sources: number
): ListPosition | undefined =>
  cursor !== undefined
    ? { source, cursor, skip: 0 }
    : source + 1 < sources
      ? { source: source + 1, cursor: undefined, skip: 0 }
      : undefined
