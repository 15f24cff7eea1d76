/** What was searched for, and what of it is kept by name: in this browser, and nowhere else. */
import { useSyncExternalStore } from "react"

export interface Kept {
  /** The latest first. */
  readonly recent: ReadonlyArray<string>
  /** In the order in which they were saved. */
  readonly saved: ReadonlyArray<string>
}

/** Searches that are remembered, and saved. */
const RECENT = 50
const SAVED = 100

const NAME = "tongs.searches"

export const empty: Kept = { recent: [], saved: [] }

/** With a search as the latest. One that only goes on from the latest, as it was typed, takes its place. */
export const withRecent = ({ recent, saved }: Kept, q: string): Kept => {
  const [latest, ...before] = recent
  const rest = latest !== undefined && q.startsWith(latest) ? before : recent
  return { recent: [q, ...rest.filter((other) => other !== q)].slice(0, RECENT), saved }
}

export const withSaved = ({ recent, saved }: Kept, q: string, isSaved: boolean): Kept => ({
  recent,
  saved: isSaved ? [...saved.filter((other) => other !== q), q].slice(-SAVED) : saved.filter((other) => other !== q)
})

/** What a browser kept; nothing where it is not what was written. */
export const read = (text: string | null): Kept => {
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
let kept: Kept | undefined

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
const look = (): Kept => {
  try {
    return (kept ??= read(localStorage.getItem(NAME)))
  } catch {
    return (kept ??= empty)
  }
}

const keep = (next: Kept) => {
  kept = next
  try {
    localStorage.setItem(NAME, JSON.stringify(next))
  } catch {
    // As above.
  }
  for (const listener of listeners) listener()
}

export const useKept = (): Kept => useSyncExternalStore(subscribe, look)

/** Remembers that somebody searched for this. */
export const visit = (q: string): void => keep(withRecent(look(), q))

export const save = (q: string, isSaved: boolean): void => keep(withSaved(look(), q, isSaved))

export const clear = (): void => keep({ ...look(), recent: [] })
