/**
 * Whether the explorer and its forge respond, as observed from the page's own requests. Sends no requests to find out.
 */
import { useSyncExternalStore } from "react"

/** `forge-unreachable`: only the explorer responds. `offline`: nor does the explorer. */
export type Connectivity = "connecting" | "connected" | "forge-unreachable" | "offline"

let current: Connectivity = "connecting"
const listeners = new Set<() => void>()

/**
 * Records the outcome of a request. A successful `local` request, which needs no forge, gives no information about the
 * forge.
 */
export const recordOutcome = (next: Exclude<Connectivity, "connecting">, local: boolean): void => {
  if (next === current || (local && next === "connected" && current === "forge-unreachable")) return
  current = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the connectivity that the requests so far have shown. A change renders the component again. */
export const useConnectivity = (): Connectivity => useSyncExternalStore(subscribe, () => current)
