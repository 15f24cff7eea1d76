import { useSyncExternalStore } from "react"

/**
 * A value in the browser's local storage, which all tabs share. A browser may deny storage. The value then lasts as
 * long as the page.
 */
export interface StoredValue<A> {
  /** Returns the value: the same object until a change. */
  readonly load: () => A
  /** Returns the value, including a change by another tab since the last event. */
  readonly read: () => A
  readonly store: (value: A) => void
  /** Returns the value in a component, updated after changes by this and other tabs. */
  readonly useValue: () => A
}

/** Creates a value that is stored as JSON. `parse` gets null before the first `store`. */
export const make = <A>(
  key: string,
  parse: (text: string | null) => A,
  toJson: (value: A) => unknown
): StoredValue<A> => {
  const listeners = new Set<() => void>()
  let cached: A | undefined

  const notify = () => {
    for (const listener of listeners) listener()
  }

  const onStorage = () => {
    cached = undefined
    notify()
  }

  const subscribe = (listener: () => void) => {
    if (listeners.size === 0) addEventListener("storage", onStorage)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) removeEventListener("storage", onStorage)
    }
  }

  const read = (): A => {
    try {
      return parse(localStorage.getItem(key))
    } catch {
      return cached ?? parse(null)
    }
  }

  const load = (): A => (cached ??= read())

  return {
    load,
    read,
    store: (value) => {
      cached = value
      try {
        localStorage.setItem(key, JSON.stringify(toJson(value)))
      } catch {
        // Storage is denied or full.
      }
      notify()
    },
    useValue: () => useSyncExternalStore(subscribe, load)
  }
}
