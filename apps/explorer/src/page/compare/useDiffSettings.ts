import { useState, useSyncExternalStore } from "react"
import type { Layout } from "./DiffRows.ts"

const STORAGE_KEY = "tongs.diff"

/** Side by side needs two columns of 80 characters. */
const WIDE = "(width >= 64rem)"

/** The layout of diffs, stored in the browser, and a function that changes the layout: undefined on a narrow screen. */
export const useDiffLayout = (): readonly [Layout, (() => void) | undefined] => {
  const [layout, setLayout] = useState(read)
  const isWide = useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
  const toggle = () => {
    const next = layout === "split" ? "unified" : "split"
    write(next)
    setLayout(next)
  }
  return isWide ? [layout, toggle] : ["unified", undefined]
}

const subscribe = (listener: () => void) => {
  const query = matchMedia(WIDE)
  query.addEventListener("change", listener)
  return () => query.removeEventListener("change", listener)
}

// A browser may deny storage. The choice then lasts as long as the view.
const read = (): Layout => {
  try {
    return localStorage.getItem(STORAGE_KEY) === "split" ? "split" : "unified"
  } catch {
    return "unified"
  }
}

const write = (layout: Layout): void => {
  try {
    localStorage.setItem(STORAGE_KEY, layout)
  } catch {
    // A browser may deny storage.
  }
}
