/** Reads one page of a list of the forge for an answer. */
import * as Effect from "effect/Effect"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import type { Answer, Item, Position } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"

const DEFAULT_LIMIT = 30

/** Maximum items of a page of the forge. */
export const MAX_LIMIT = 100

/** The note of an incomplete answer of the forge. */
export const INCOMPLETE = "The forge stopped early: items may be missing."

/** The part of an answer that a page gives. */
export type PagePart = Pick<Answer, "items" | "next" | "total" | "isLarge" | "notes">

/** Reads a list of the forge. */
export type Fetch<A, E> = (options: {
  readonly perPage: number
  readonly cursor?: string
  readonly deadline: number
}) => {
  readonly first: Effect.Effect<Page<A>, E>
}

/**
 * Reads the page at the position of the call, or the first page with `limit` items. The answer continues with the items
 * of the page that were not shown, then with the next page.
 */
export const read = <A, E = Failure.Failure>(
  call: Pick<Call, "deadline" | "position">,
  limit: number | undefined,
  fetch: Fetch<A, E>,
  show: (item: A) => Item
) => readWith(call, limit, fetch, (items) => items.map(show))

/** Like `read`, but `show` receives all items of the list together, and returns one item for each. */
export const readWith = Effect.fnUntraced(function* <A, E = Failure.Failure>(
  { deadline, position = { skip: 0 } }: Pick<Call, "deadline" | "position">,
  limit: number | undefined,
  fetch: Fetch<A, E>,
  show: (items: ReadonlyArray<A>) => ReadonlyArray<Item>
) {
  const perPage = position.perPage ?? limit ?? DEFAULT_LIMIT
  const page = yield* fetch({
    perPage,
    deadline,
    ...(position.page === undefined ? {} : { cursor: position.page })
  }).first
  const items = show(page.items.slice(position.skip))
  const next = (shown: number): { readonly position: Position } | undefined => {
    if (shown < items.length) return { position: { ...position, perPage, skip: position.skip + shown } }
    return page.cursor === undefined ? undefined : { position: { page: page.cursor, perPage, skip: 0 } }
  }
  return {
    items,
    next,
    total: page.totalCount,
    isLarge: limit !== undefined,
    ...(page.incompleteResults ? { notes: [INCOMPLETE] } : {})
  } satisfies PagePart
})
