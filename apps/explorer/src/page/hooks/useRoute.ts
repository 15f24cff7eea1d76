/** The router: the current route, navigation, and the state that each history entry keeps. */
import { useLayoutEffect, useSyncExternalStore } from "react"
import * as Route from "../model/Route.ts"

/** The state of a view in the entry of the browser history, beside the URL. */
export interface HistoryState {
  /** The count of result pages that were loaded. */
  readonly pages?: number
  /** The focused result, from 0. */
  readonly result?: number | undefined
  /** Whether the previous entry is the list of results that linked here. */
  readonly isFromResults?: boolean
  /** The scroll offset in pixels. */
  readonly scroll?: number
  /** The first visible line of a file, from 1. */
  readonly firstLine?: number
  /** The filter and the order of the repositories. */
  readonly filter?: string
  readonly order?: string
  /** The word for the caret, in the first selected line. */
  readonly word?: string
  /** The caret in a file, both from 1. */
  readonly caret?: { readonly line: number; readonly column: number }
  /** Whether the entry is a step through a list, which the next step replaces. */
  readonly isStep?: boolean
}

/** Milliseconds without scrolling before the offset is stored: browsers limit the rate of `replaceState`. */
const SCROLL_DELAY = 120

// The browser would restore the offset before the content has loaded.
history.scrollRestoration = "manual"

const listeners = new Set<() => void>()

let navigations = 0

const notify = () => {
  navigations++
  for (const listener of listeners) listener()
}

let scrollTimer: number | undefined
/** True until the content of an entry with an offset has loaded: scroll events before that are not the user's. */
let isRestoring = false
/** True until the browser has gone back. */
let isGoingBack = false

addEventListener("popstate", () => {
  isGoingBack = false
  // A pending offset belongs to the previous entry.
  clearTimeout(scrollTimer)
  isRestoring = historyState().scroll !== undefined
  notify()
})
addEventListener(
  "scroll",
  () => {
    clearTimeout(scrollTimer)
    if (!isRestoring) scrollTimer = window.setTimeout(() => updateHistoryState({ scroll: scrollY }), SCROLL_DELAY)
  },
  { passive: true }
)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The route of the current URL. */
export const useRoute = (): Route.Route => {
  const href = useSyncExternalStore(subscribe, () => location.href)
  return Route.parse(new URL(href))
}

/** Changes with each navigation, also with one to the current URL. */
export const useNavigation = (): number => useSyncExternalStore(subscribe, () => navigations)

/** Navigates to a route: adds a history entry, or replaces the current entry with `replace`. */
export const navigate = (
  route: Route.Route,
  options: { readonly replace?: boolean; readonly state?: HistoryState } = {}
): void => {
  const { replace = false, state = {} } = options
  clearTimeout(scrollTimer)
  isGoingBack = false
  isRestoring &&= replace
  if (replace) history.replaceState(state, "", Route.href(route))
  else {
    updateHistoryState({ scroll: scrollY })
    history.pushState(state, "", Route.href(route))
    scrollTo(0, 0)
  }
  notify()
}

/** Goes back by one entry. Ignored until an earlier call has finished, because key presses repeat faster. */
export const goBack = (): void => {
  if (isGoingBack) return
  isGoingBack = true
  history.back()
}

/** The state of the current entry. */
export const historyState = (): HistoryState => {
  const state: unknown = history.state
  return typeof state === "object" && state !== null ? state : {}
}

/** Merges `more` into the state of the current entry. */
export const updateHistoryState = (more: HistoryState): void => history.replaceState({ ...historyState(), ...more }, "")

/** Restores the scroll offset of the entry once its content is loaded. `view` identifies the content. */
export const useScrollRestoration = (view: string, isLoaded: boolean): void => {
  useLayoutEffect(() => {
    if (!isLoaded) return
    scrollTo(0, historyState().scroll ?? 0)
    isRestoring = false
  }, [view, isLoaded])
}
