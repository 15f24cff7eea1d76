import { useEffect, useEffectEvent } from "react"

/** Handlers by `KeyboardEvent.key`. */
export type KeyboardShortcuts = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

/** Handles keys without modifiers anywhere on the page, except in text fields and behind an open dialog or menu. */
export const useKeyboardShortcuts = (shortcuts: KeyboardShortcuts): void => {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTextField(event.target) || hasOpenPopup()) return
    const handler = shortcuts[event.key]
    if (handler === undefined) return
    event.preventDefault()
    handler(event)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener("keydown", listener)
    return () => document.removeEventListener("keydown", listener)
  }, [])
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input") !== null

/** Whether a text field has the focus, also one inside the editor's shadow root. */
export const isTyping = (): boolean => {
  const { activeElement } = document
  return isTextField(activeElement?.shadowRoot?.activeElement ?? activeElement)
}

const hasOpenPopup = (): boolean => document.querySelector("[role=dialog], [role=menu]") !== null
