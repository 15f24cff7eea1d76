/** The results in order, while they arrive and somebody already reads them. */
import { useCallback, useEffect, useRef, useState } from "react"
import type { SortOrder } from "../model/Route.ts"
import { orderResults, type OrderedResults } from "./ResultOrder.ts"
import type { FileResult } from "./SearchResults.ts"

/** What a reader does that makes them the owner of what they look at. */
const ACTS = ["pointermove", "wheel", "touchstart", "focusin"] as const // the names of events

export const useStableOrder = (files: ReadonlyArray<FileResult>, sort: SortOrder | undefined) => {
  const reader = useRef({ acts: false, seen: 0 })
  const [state, setState] = useState<State>(() => ({ files, sort, arranged: orderResults(files, sort) }))
  let { arranged } = state
  if (state.files !== files || state.sort !== sort) {
    const { acts, seen } = reader.current
    const settled = acts && state.sort === sort ? state.arranged.files.slice(0, seen) : []
    arranged = orderResults(files, sort, settled)
    setState({ files, sort, arranged })
  }

  useEffect(() => {
    const act = (event: Event) => {
      if (event.target instanceof Element && event.target.closest(".list") !== null) reader.current.acts = true
    }
    for (const name of ACTS) document.addEventListener(name, act, { passive: true })
    return () => {
      for (const name of ACTS) document.removeEventListener(name, act)
    }
  }, [])

  const settle = useCallback((seen: number) => {
    reader.current.seen = Math.max(reader.current.seen, seen)
    if (scrollY > 0) reader.current.acts = true
  }, [])

  /** Puts everything in order. */
  const release = () => {
    reader.current = { acts: false, seen: 0 }
    setState({ files, sort, arranged: orderResults(files, sort) })
    scrollTo(0, 0)
  }
  return { arranged, settle, release }
}

interface State {
  readonly files: ReadonlyArray<FileResult>
  readonly sort: SortOrder | undefined
  readonly arranged: OrderedResults
}
