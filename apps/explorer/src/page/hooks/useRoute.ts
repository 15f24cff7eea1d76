/** The view that the address bar names, how to go to another, and what each remembers of itself. */
import { useLayoutEffect, useSyncExternalStore } from "react"
import * as Route from "../model/Route.ts"

/** What a view remembers of itself in the browser's history, beside its URL. */
export interface HistoryState {
  /** Pages of results that were open. */
  readonly pages?: number
  /** The result that has the focus: its number, from 0. */
  readonly result?: number | undefined
  /** The entry before this one is the results that led here. */
  readonly isFromResults?: boolean
  /** How far down the reader was, in pixels. */
  readonly scroll?: number
  /** The first line of a file that was in view. */
  readonly firstLine?: number
  /** The word on the chosen line that one came for. */
  readonly word?: string
}

/** Milliseconds without scrolling after which the place is remembered: a browser counts such notes. */
const REST = 120

// What is there to scroll comes later than the browser would look for it.
history.scrollRestoration = "manual"

const listeners = new Set<() => void>()

const changed = () => {
  for (const listener of listeners) listener()
}

let resting: number | undefined
/** Where the reader was is not there yet to scroll to: what the window does meanwhile is no wish of theirs. */
let isComing = false
/** The browser is on its way back. */
let isLeaving = false

addEventListener("popstate", () => {
  isLeaving = false
  // What was scrolled last is of the entry that was left.
  clearTimeout(resting)
  isComing = historyState().scroll !== undefined
  changed()
})
addEventListener(
  "scroll",
  () => {
    clearTimeout(resting)
    if (!isComing) resting = window.setTimeout(() => updateHistoryState({ scroll: scrollY }), REST)
  },
  { passive: true }
)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useRoute = (): Route.Route => {
  const href = useSyncExternalStore(subscribe, () => location.href)
  return Route.parse(new URL(href))
}

/** Goes to a view: a new entry of the history, or (`replace`) in the place of the current one. */
export const navigate = (
  view: Route.Route,
  options: { readonly replace?: boolean; readonly memory?: HistoryState } = {}
): void => {
  const { memory = {}, replace = false } = options
  clearTimeout(resting)
  isLeaving = false
  isComing &&= replace
  if (replace) history.replaceState(memory, "", Route.href(view))
  else {
    updateHistoryState({ scroll: scrollY })
    history.pushState(memory, "", Route.href(view))
    scrollTo(0, 0)
  }
  changed()
}

/** To the entry before this one, and no further: a browser takes its time, and keys come quicker. */
export const goBack = (): void => {
  if (isLeaving) return
  isLeaving = true
  history.back()
}

export const historyState = (): HistoryState => {
  const state: unknown = history.state
  return typeof state === "object" && state !== null ? state : {}
}

export const updateHistoryState = (more: HistoryState): void => history.replaceState({ ...historyState(), ...more }, "")

/** Once what a view shows is there, brings the reader back to where they were. `view` says which view it is. */
export const useScrollRestoration = (view: string, isThere: boolean): void => {
  useLayoutEffect(() => {
    if (!isThere) return
    scrollTo(0, historyState().scroll ?? 0)
    isComing = false
  }, [view, isThere])
}
