/** Items that one request returned, as a part of an answer that continues after the items it shows. */
import type { Answer, Item } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"

/**
 * Returns the items from the position of the call. `version` identifies what the items were read from, for example a
 * commit: the next call receives it as `position.page`.
 */
export const from = (
  items: ReadonlyArray<Item>,
  { position }: Pick<Call, "position">,
  version: string
): Pick<Answer, "items" | "next"> => {
  const start = position?.skip ?? 0
  return {
    items: items.slice(start),
    next: (shown) => (start + shown < items.length ? { position: { page: version, skip: start + shown } } : undefined)
  }
}
