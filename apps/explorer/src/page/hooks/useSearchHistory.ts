/** Recent and saved searches, stored only in the browser's local storage. */
import * as StoredValue from "./StoredValue.ts"

/** The queries that this browser keeps. */
export interface SearchHistory {
  /** The latest first. */
  readonly recent: ReadonlyArray<string>
  /** In the order of saving. */
  readonly saved: ReadonlyArray<string>
}

const MAX_RECENT = 50
const MAX_SAVED = 100

const STORAGE_KEY = "tongs.searches"

/** A history without queries. */
export const empty: SearchHistory = { recent: [], saved: [] }

/** Adds the latest query. A query that extends the previous one, as during typing, replaces the previous one. */
export const withRecent = ({ recent, saved }: SearchHistory, q: string): SearchHistory => {
  const [latest, ...before] = recent
  const rest = latest !== undefined && q.startsWith(latest) ? before : recent
  return { recent: [q, ...rest.filter((other) => other !== q)].slice(0, MAX_RECENT), saved }
}

/** Adds or removes a saved query. */
export const withSaved = ({ recent, saved }: SearchHistory, q: string, isSaved: boolean): SearchHistory => ({
  recent,
  saved: isSaved ? [...saved.filter((other) => other !== q), q].slice(-MAX_SAVED) : saved.filter((other) => other !== q)
})

/** Parses stored JSON and ignores anything invalid. */
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

const history = StoredValue.make(STORAGE_KEY, parse, (history) => history)

/** The history, updated after changes by this and other tabs. */
export const useSearchHistory = (): SearchHistory => history.useValue()

export const addRecentSearch = (q: string): void => history.store(withRecent(history.load(), q))

/** Adds or removes a saved search. */
export const setSavedSearch = (q: string, isSaved: boolean): void =>
  history.store(withSaved(history.load(), q, isSaved))
