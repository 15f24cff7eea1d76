import { useDeferredValue } from "react"
import type * as ExplorerClient from "./ExplorerClient.ts"

/**
 * The state of a request, whose answer renders in slices because it takes long. It stays loading until React has
 * rendered the answer. One that is there at first, from the cache, renders at once.
 */
export const useDeferredAnswer = <A>(answer: ExplorerClient.RequestState<A>): ExplorerClient.RequestState<A> => {
  const value = answer._tag === "Ready" ? answer.value : undefined
  const deferred = useDeferredValue(value)
  return value === deferred ? answer : { _tag: "Loading", slow: false }
}
