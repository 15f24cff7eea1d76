/** A part of a list as one answer, and the cursor to the rest. */
import * as Effect from "effect/Effect"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import * as Compaction from "../output/Compaction.ts"
import type * as SignedCursor from "./SignedCursor.ts"
import { sanitizeValue } from "../output/SafeText.ts"
import { type Property, ToolError } from "./Tool.ts"

/** Items a page where nothing is said. */
const PER_PAGE = 30

export const properties: Readonly<Record<"per_page" | "cursor", Property>> = {
  per_page: { type: "integer", minimum: 1, maximum: 100, description: `${PER_PAGE} by default.` },
  cursor: { type: "string", description: "nextCursor of the last answer; the other arguments stay." }
}

/** What an answer needs of a page. */
type Part<A> = Pick<Page<A>, "items" | "totalCount" | "incompleteResults" | "cursor">

/** A list that came whole: there are no more pages, but it may be too long for one answer. */
export const singlePage = <A>(items: ReadonlyArray<A>, incompleteResults = false): Part<A> => ({
  items,
  totalCount: items.length,
  incompleteResults,
  cursor: undefined
})

/** How a page is asked for. */
export interface PageRequest {
  readonly perPage: number
  readonly cursor?: string
}

/**
 * Reads the page that the arguments name and gives what fits of it. `show` is what an item looks like, `nothing` says
 * what to do where there is none.
 */
export const readPage = Effect.fnUntraced(function* <A>(
  input: Readonly<Record<string, unknown>>,
  cursors: SignedCursor.CursorCodec,
  fetch: (at: PageRequest) => Effect.Effect<Part<A>, Failure.Failure>,
  show: (item: A) => unknown,
  nothing?: string
) {
  const at = yield* position(input, cursors)
  const perPage = at.perPage ?? PER_PAGE
  const page = yield* fetch({ perPage, ...(at.page === undefined ? {} : { cursor: at.page }) })
  const items = page.items.slice(at.skip).map((item) => sanitizeValue(show(item)))
  const given = Compaction.countFitting(items)
  const rest =
    given < items.length
      ? { ...at, perPage, skip: at.skip + given }
      : page.cursor === undefined
        ? undefined
        : { page: page.cursor, perPage, skip: 0 }
  const answer = {
    ...(page.totalCount === undefined ? {} : { total_count: page.totalCount }),
    ...(page.incompleteResults ? { incomplete_results: true } : {}),
    items: items.slice(0, given),
    ...(page.items.length === 0 && nothing !== undefined ? { note: nothing } : {})
  }
  return Compaction.toJson(answer, rest === undefined ? {} : { nextCursor: cursors.encode(rest) })
})

const position = (
  { cursor, per_page: perPage }: Readonly<Record<string, unknown>>,
  cursors: SignedCursor.CursorCodec
): Effect.Effect<SignedCursor.Cursor, ToolError> => {
  if (typeof cursor === "string") return Effect.mapError(Effect.fromOption(cursors.decode(cursor)), () => foreign)
  return Effect.succeed({ ...(typeof perPage === "number" ? { perPage } : {}), skip: 0 })
}

const foreign = new ToolError({
  detail: [
    "This cursor is not valid here. Give nextCursor back as it came, to the same tool with the same arguments, while this",
    "server runs; or leave cursor out to begin again."
  ].join(" ")
})
