import { useCallback, useEffect, useRef, useState } from "react"
import type { SortOrder } from "../model/Route.ts"
import { type OrderedResults, orderResults } from "./ResultOrder.ts"
import type { FileResult } from "./SearchResults.ts"

/** The events over the list that pin the results in view. */
const interactions = ["pointermove", "wheel", "touchstart", "focusin"] as const // the names of events

/**
 * The results in order. After the first interaction with the list, results that were in view keep the same place.
 * `markSeen` takes the count of files down to the end of the window; `resort` releases all and sorts again.
 */
export const useStableOrder = (files: ReadonlyArray<FileResult>, sort: SortOrder | undefined) => {
  const user = useRef({ hasInteracted: false, seen: 0 })
  const [state, setState] = useState<State>(() => ({ files, sort, ordered: orderResults(files, sort) }))
  let { ordered } = state
  if (state.files !== files || state.sort !== sort) {
    const { hasInteracted, seen } = user.current
    const pinned = hasInteracted && state.sort === sort ? state.ordered.files.slice(0, seen) : []
    ordered = orderResults(files, sort, pinned)
    setState({ files, sort, ordered })
  }

  useEffect(() => {
    const onInteraction = ({ target }: Event) => {
      if (target instanceof Element && target.closest(".result-list") !== null) user.current.hasInteracted = true
    }
    for (const name of interactions) document.addEventListener(name, onInteraction, { passive: true })
    return () => {
      for (const name of interactions) document.removeEventListener(name, onInteraction)
    }
  }, [])

  const markSeen = useCallback((seen: number) => {
    user.current.seen = Math.max(user.current.seen, seen)
    if (scrollY > 0) user.current.hasInteracted = true
  }, [])

  const resort = () => {
    user.current = { hasInteracted: false, seen: 0 }
    setState({ files, sort, ordered: orderResults(files, sort) })
    scrollTo(0, 0)
  }
  return { ordered, markSeen, resort }
}

interface State {
  readonly files: ReadonlyArray<FileResult>
  readonly sort: SortOrder | undefined
  readonly ordered: OrderedResults
}
