/** Known items, for example of one response, as a part of an answer that continues after the shown items. */
import type { Answer } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"

/** The part of a list to return. */
export interface Options {
  /**
   * Identifies the origin of the items, for example a commit. The next call receives this as `position.page`, and so
   * reads the same items.
   */
  readonly version?: string
  /** Maximum number of items. */
  readonly limit?: number | undefined
}

/** Returns the items from the position of the call, and how the list continues after these items. */
export const from = <A>(
  all: ReadonlyArray<A>,
  { position }: Pick<Call, "position">,
  { limit = Infinity, version }: Options = {}
): { readonly items: ReadonlyArray<A>; readonly next: NonNullable<Answer["next"]> } => {
  const start = position?.skip ?? 0
  return {
    items: all.slice(start, start + limit),
    next: (shown) =>
      start + shown < all.length
        ? { position: { ...(version === undefined ? {} : { page: version }), skip: start + shown } }
        : undefined
  }
}
