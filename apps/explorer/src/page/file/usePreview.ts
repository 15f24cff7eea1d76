import { useSyncExternalStore } from "react"

const STORAGE_KEY = "tongs.preview"

const listeners = new Set<() => void>()
let choice: boolean | undefined

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// A browser may deny storage. The choice then lasts as long as the page.
const read = (): boolean => {
  try {
    return (choice ??= localStorage.getItem(STORAGE_KEY) !== "no")
  } catch {
    return (choice ??= true)
  }
}

/** Whether Markdown and SVG files show as a preview instead of code. The browser keeps the choice. */
export const usePreview = (): boolean => useSyncExternalStore(subscribe, read)

/** Sets the choice. */
export const setPreview = (isPreview: boolean): void => {
  choice = isPreview
  try {
    localStorage.setItem(STORAGE_KEY, isPreview ? "yes" : "no")
  } catch {
    // A browser may deny storage.
  }
  for (const listener of listeners) listener()
}
