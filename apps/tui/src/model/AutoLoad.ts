/** Determines the content to load without a command from the user. */
import * as AsyncResult from "effect/reactivity/AsyncResult"
import type * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

/** `nextPage`: the cursor is near the end of the loaded rows. `refresh`: the content came from the cache. */
export type AutoLoad = "nextPage" | "refresh"

/** Returns the content to load next; undefined while a request is in flight, or if all content is loaded. */
export const next = (state: State.State, external: Viewport.ExternalState): AutoLoad | undefined => {
  const { result } = external
  if (!AsyncResult.isSuccess(result) || result.waiting) return undefined
  const { content, isStale } = result.value
  if (content._tag === "List" && Viewport.needsNextPage(state, external, content)) return "nextPage"
  return isStale ? "refresh" : undefined
}
