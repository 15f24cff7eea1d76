/** The view that the address bar names, and how to go to another. */
import { useSyncExternalStore } from "react"
import * as View from "./View.ts"

/** What a view remembers of itself in the browser's history, beside its URL. */
export interface Memory {
  /** Pages of results that were open. */
  readonly pages?: number
  /** The result that was opened. */
  readonly hit?: number
  /** The entry before this one is the results that led here. */
  readonly isFromResults?: boolean
}

const listeners = new Set<() => void>()

const changed = () => {
  for (const listener of listeners) listener()
}

addEventListener("popstate", changed)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useView = (): View.View => {
  const href = useSyncExternalStore(subscribe, () => location.href)
  return View.parse(new URL(href))
}

/** Goes to a view: a new entry of the history, or (`replace`) in the place of the current one. */
export const go = (view: View.View, options: { readonly replace?: boolean; readonly memory?: Memory } = {}): void => {
  const { memory = {}, replace = false } = options
  if (replace) history.replaceState(memory, "", View.print(view))
  else {
    history.pushState(memory, "", View.print(view))
    scrollTo(0, 0)
  }
  changed()
}

export const memory = (): Memory => {
  const state: unknown = history.state
  return typeof state === "object" && state !== null ? state : {}
}

export const remember = (more: Memory): void => history.replaceState({ ...memory(), ...more }, "")
