/** Keys that work anywhere on the page but in a text field, and in what opens above it. */
import { useEffect, useEffectEvent } from "react"

export type KeyboardShortcuts = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

export const useKeyboardShortcuts = (keys: KeyboardShortcuts): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isField(event.target) || isBehind()) return
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act(event)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
}

const isField = (target: EventTarget | null): boolean => target instanceof Element && target.closest("input") !== null

/** Whether the reader is in a text field, also in one of the editor. */
export const isTyping = (): boolean => {
  const { activeElement } = document
  return isField(activeElement?.shadowRoot?.activeElement ?? activeElement)
}

/** Whether something is open above the page: the keys are for that, wherever the focus is. */
const isBehind = (): boolean => document.querySelector("[role=dialog], [role=menu]") !== null
