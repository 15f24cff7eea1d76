/** What was searched for, and what of it is kept by name: in this browser, and nowhere else. */
import { useSyncExternalStore } from "react"

export interface SearchHistory {
  /** The latest first. */
  readonly recent: ReadonlyArray<string>
  /** In the order in which they were saved. */
  readonly saved: ReadonlyArray<string>
}

/** Searches that are remembered, and saved. */
const RECENT = 50
const SAVED = 100

const NAME = "tongs.searches"

export const empty: SearchHistory = { recent: [], saved: [] }

/** With a search as the latest. One that only goes on from the latest, as it was typed, takes its place. */
export const withRecent = ({ recent, saved }: SearchHistory, q: string): SearchHistory => {
  const [latest, ...before] = recent
  const rest = latest !== undefined && q.startsWith(latest) ? before : recent
  return { recent: [q, ...rest.filter((other) => other !== q)].slice(0, RECENT), saved }
}

export const withSaved = ({ recent, saved }: SearchHistory, q: string, isSaved: boolean): SearchHistory => ({
  recent,
  saved: isSaved ? [...saved.filter((other) => other !== q), q].slice(-SAVED) : saved.filter((other) => other !== q)
})

/** What a browser kept; nothing where it is not what was written. */
export const parse = (text: string | null): SearchHistory => {
  try {
    const value: unknown = JSON.parse(text ?? "")
    if (typeof value !== "object" || value === null) return empty
    return { recent: strings("recent" in value && value.recent), saved: strings("saved" in value && value.saved) }
  } catch {
    return empty
  }
}

const strings = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string" && one.trim() !== "") : []

const listeners = new Set<() => void>()
let kept: SearchHistory | undefined

// Another tab may have written.
const forget = () => {
  kept = undefined
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  if (listeners.size === 0) addEventListener("storage", forget)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener("storage", forget)
  }
}

/** A browser may refuse to keep anything: then the page remembers as long as it is open. */
const load = (): SearchHistory => {
  try {
    return (kept ??= parse(localStorage.getItem(NAME)))
  } catch {
    return (kept ??= empty)
  }
}

const store = (next: SearchHistory) => {
  kept = next
  try {
    localStorage.setItem(NAME, JSON.stringify(next))
  } catch {
    // As above.
  }
  for (const listener of listeners) listener()
}

export const useSearchHistory = (): SearchHistory => useSyncExternalStore(subscribe, load)

/** Remembers that somebody searched for this. */
export const addRecentSearch = (q: string): void => store(withRecent(load(), q))

export const setSavedSearch = (q: string, isSaved: boolean): void => store(withSaved(load(), q, isSaved))
