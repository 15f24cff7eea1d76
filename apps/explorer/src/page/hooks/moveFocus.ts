/** Moves the focus by one among the elements of a list that match `selector`; to the first from outside the list. */
export const moveFocus = (list: Element | null, by: 1 | -1, selector = "a, button"): void => {
  const elements = Array.from(list?.querySelectorAll<HTMLElement>(selector) ?? [])
  const index = elements.findIndex((element) => element === document.activeElement)
  elements[index === -1 ? 0 : Math.min(elements.length - 1, Math.max(0, index + by))]?.focus()
}

/** Moves the focus by a key press inside the list, and keeps the key from the shortcuts of the page. */
export const moveFocusByKey = (
  list: Element | null,
  event: { readonly key: string; readonly preventDefault: () => void }
): void => {
  const by = steps.get(event.key)
  if (by === undefined) return
  event.preventDefault()
  moveFocus(list, by)
}

const steps: ReadonlyMap<string, 1 | -1> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["j", 1],
  ["k", -1]
])
