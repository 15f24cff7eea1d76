/** Converts one page of a list to a tool result, with a cursor if more items follow. */
import * as Effect from "effect/Effect"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import { sanitizeValue } from "../output/SafeText.ts"
import * as Truncation from "../output/Truncation.ts"
import type * as SignedCursor from "./SignedCursor.ts"
import { type Property, ToolError } from "./Tool.ts"

const DEFAULT_PER_PAGE = 30

/** The paging arguments of every tool that returns a list. */
export const properties: Readonly<Record<"per_page" | "cursor", Property>> = {
  per_page: { type: "integer", minimum: 1, maximum: 100, description: `Default: ${DEFAULT_PER_PAGE}.` },
  cursor: {
    type: "string",
    description: "nextCursor of the previous result; keep the other arguments."
  }
}

type PagePart<A> = Pick<Page<A>, "items" | "totalCount" | "incompleteResults" | "cursor">

/** Wraps a complete list as a single page. The list can be longer than one tool result. */
export const singlePage = <A>(items: ReadonlyArray<A>, incompleteResults = false): PagePart<A> => ({
  items,
  totalCount: items.length,
  incompleteResults,
  cursor: undefined
})

/** Arguments of a request for one page. */
export interface PageRequest {
  readonly perPage: number
  readonly cursor?: string
}

/**
 * Reads the page that the arguments select, and returns as many items as fit into one result. `show` converts an item
 * to JSON; `emptyNote` says how to continue if the page is empty. Fails with `ToolError` if the cursor is invalid.
 */
export const readPage = Effect.fnUntraced(function* <A>(
  input: Readonly<Record<string, unknown>>,
  cursors: SignedCursor.CursorCodec,
  fetch: (request: PageRequest) => Effect.Effect<PagePart<A>, Failure.Failure>,
  show: (item: A) => unknown,
  emptyNote?: string
) {
  const position = yield* positionOf(input, cursors)
  const perPage = position.perPage ?? DEFAULT_PER_PAGE
  const page = yield* fetch({ perPage, ...(position.page === undefined ? {} : { cursor: position.page }) })
  const items = page.items.slice(position.skip).map((item) => sanitizeValue(show(item)))
  const count = Truncation.countFitting(items)
  const next =
    count < items.length
      ? { ...position, perPage, skip: position.skip + count }
      : page.cursor === undefined
        ? undefined
        : { page: page.cursor, perPage, skip: 0 }
  const result = {
    ...(page.totalCount === undefined ? {} : { total_count: page.totalCount }),
    ...(page.incompleteResults ? { incomplete_results: true } : {}),
    items: items.slice(0, count),
    ...(page.items.length === 0 && emptyNote !== undefined ? { note: emptyNote } : {})
  }
  return Truncation.toJson(result, next === undefined ? {} : { nextCursor: cursors.encode(next) })
})

const positionOf = (
  { cursor, per_page: perPage }: Readonly<Record<string, unknown>>,
  cursors: SignedCursor.CursorCodec
): Effect.Effect<SignedCursor.Cursor, ToolError> => {
  if (typeof cursor === "string") return Effect.mapError(Effect.fromOption(cursors.decode(cursor)), () => invalidCursor)
  return Effect.succeed({ ...(typeof perPage === "number" ? { perPage } : {}), skip: 0 })
}

const invalidCursor = new ToolError({
  detail: [
    "Invalid cursor. Pass nextCursor unchanged, to the same tool with the same arguments; it is valid until the server",
    "restarts. To read the list from the beginning, omit cursor."
  ].join(" ")
})
