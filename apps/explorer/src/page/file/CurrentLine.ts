/**
 * The line that the user reads, as a store, because the line changes with each frame of scrolling and few components
 * use it.
 */
import { useSyncExternalStore } from "react"

/** The line of the caret, or the first visible line if the caret is not visible. From 1. */
export interface CurrentLine {
  readonly get: () => number
  readonly set: (line: number) => void
  readonly subscribe: (listener: () => void) => () => void
}

export const make = (): CurrentLine => {
  let current = 1
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (line) => {
      if (line === current) return
      current = line
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** Returns a value of the line. Renders the component again only if the value changes. */
export const useValue = (store: CurrentLine, value: (line: number) => number): number =>
  useSyncExternalStore(store.subscribe, () => value(store.get()))
