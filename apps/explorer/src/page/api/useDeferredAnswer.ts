import { useDeferredValue } from "react"
import type * as ExplorerClient from "./ExplorerClient.ts"

/**
 * The state of a request with a large response, which React renders in slices. The state stays loading until React has
 * rendered the response. A cached response renders at once.
 */
export const useDeferredAnswer = <A>(answer: ExplorerClient.RequestState<A>): ExplorerClient.RequestState<A> => {
  const value = answer._tag === "Ready" ? answer.value : undefined
  const deferred = useDeferredValue(value)
  return value === deferred ? answer : { _tag: "Loading", slow: false }
}
