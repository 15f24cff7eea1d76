/** What is read without anybody asking for it. */
import * as AsyncResult from "effect/reactivity/AsyncResult"
import type * as State from "./State.ts"
import * as View from "./View.ts"

/** `more`: the next page of the list. `anew`: what is shown was kept from earlier, and how it is now. */
export type AutoLoad = "more" | "anew"

export const next = (state: State.State, world: View.ExternalState): AutoLoad | undefined => {
  const { result } = world
  if (!AsyncResult.isSuccess(result) || result.waiting) return undefined
  const { content, isStale } = result.value
  if (content._tag === "List" && View.needsNextPage(state, world, content)) return "more"
  return isStale ? "anew" : undefined
}
