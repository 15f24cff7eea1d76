/** What is read without anybody asking for it. */
import * as AsyncResult from "effect/reactivity/AsyncResult"
import type * as State from "./State.ts"
import * as View from "./View.ts"

/** `more`: the next page of the list. `anew`: what is shown was kept from earlier, and how it is now. */
export type Need = "more" | "anew"

export const of = (state: State.State, world: View.World): Need | undefined => {
  const { result } = world
  if (!AsyncResult.isSuccess(result) || result.waiting) return undefined
  const { content, kept } = result.value
  if (content._tag === "List" && View.wantsMore(state, world, content)) return "more"
  return kept ? "anew" : undefined
}
