import type { Atom } from "effect/reactivity/Atom"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { useMemo, useSyncExternalStore } from "react"

/** Returns the current value of an atom. Renders the component again after each change. */
export const useAtomValue = <A>(registry: AtomRegistry, atom: Atom<A>): A => {
  const [subscribe, get] = useMemo(
    () => [(notify: () => void) => registry.subscribe(atom, notify), () => registry.get(atom)] as const, // a pair
    [registry, atom]
  )
  return useSyncExternalStore(subscribe, get, get)
}
