/** Whether what the page is connected to answers, as the page knows from its own questions: none is asked for that. */
import { useSyncExternalStore } from "react"

/** `alone` is the explorer without its forge, `offline` the page without its explorer. */
export type Connectivity = "trying" | "connected" | "alone" | "offline"

let reach: Connectivity = "trying"
const listeners = new Set<() => void>()

/** What came of a question. `isOwn` says that the explorer answers it without its forge. */
export const report = (next: Exclude<Connectivity, "trying">, isOwn: boolean): void => {
  if (next === reach || (isOwn && next === "connected" && reach === "alone")) return
  reach = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useConnectivity = (): Connectivity => useSyncExternalStore(subscribe, () => reach)
