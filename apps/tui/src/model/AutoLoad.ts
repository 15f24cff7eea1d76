/** Decides which content to load without a command of the user. */
import * as AsyncResult from "effect/reactivity/AsyncResult"
import type * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

/** `nextPage` of a list near the cursor, or `refresh` of content that came from the cache. */
export type AutoLoad = "nextPage" | "refresh"

/** The next content to load; undefined while a request is in flight or if nothing is missing. */
export const next = (state: State.State, external: Viewport.ExternalState): AutoLoad | undefined => {
  const { result } = external
  if (!AsyncResult.isSuccess(result) || result.waiting) return undefined
  const { content, isStale } = result.value
  if (content._tag === "List" && Viewport.needsNextPage(state, external, content)) return "nextPage"
  return isStale ? "refresh" : undefined
}
