/** The saved searches whose new results are notified. The choice stays in this browser. */
import * as StoredValue from "../hooks/StoredValue.ts"

const STORAGE_KEY = "tongs.notified-searches"

/** For the id of each notified search, the version of the results in the last notification; empty before the first. */
export type Notified = ReadonlyMap<number, string>

/** Parses stored JSON and ignores anything invalid. */
export const parse = (text: string | null): Notified => {
  try {
    const value: unknown = JSON.parse(text ?? "")
    if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map()
    return new Map(
      Object.entries(value).flatMap(([id, version]: readonly [string, unknown]) =>
        /^\d{1,15}$/.test(id) && typeof version === "string" ? [[Number(id), version] as const] : []
      )
    )
  } catch {
    return new Map()
  }
}

const notifiedSearches = StoredValue.make(STORAGE_KEY, parse, (notified) => Object.fromEntries(notified))

/** True if the browser has notifications. */
export const isSupported = (): boolean => "Notification" in globalThis

/** The searches to notify, updated after changes by this and other tabs. */
export const useNotified = (): Notified => notifiedSearches.useValue()

/**
 * Starts or stops the notifications of a search. Asks for the permission, so call this function on a click. Resolves to
 * false if the user refuses.
 */
export const set = async (id: number, isNotified: boolean): Promise<boolean> => {
  if (isNotified && (await Notification.requestPermission()) !== "granted") return false
  const next = new Map(notifiedSearches.read())
  if (isNotified) next.set(id, "")
  else next.delete(id)
  notifiedSearches.store(next)
  return true
}

/** Shows a notification, once for each version in all tabs. `onClick` runs when the user opens the notification. */
export const show = (id: number, version: string, text: string, onClick: () => void): void => {
  const notified = notifiedSearches.read()
  if (Notification.permission !== "granted" || !notified.has(id) || notified.get(id) === version) return
  notifiedSearches.store(new Map(notified).set(id, version))
  try {
    new Notification(text, { tag: `tongs-${id}` }).addEventListener("click", onClick)
  } catch {
    // Some phones only allow notifications of service workers.
  }
}
