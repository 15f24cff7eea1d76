/** Moves the focus among the links and buttons of a list: to the first of them, when it was elsewhere. */
export const moveFocus = (list: Element | null, by: 1 | -1, among = "a, button"): void => {
  const all = Array.from(list?.querySelectorAll<HTMLElement>(among) ?? [])
  const at = all.findIndex((element) => element === document.activeElement)
  all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus()
}

/** Does so by the keys of a list that has the focus: they are not the page's then. */
export const moveFocusByKey = (
  list: Element | null,
  event: { readonly key: string; readonly preventDefault: () => void }
): void => {
  const by = STEPS.get(event.key)
  if (by === undefined) return
  event.preventDefault()
  moveFocus(list, by)
}

const STEPS: ReadonlyMap<string, 1 | -1> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["j", 1],
  ["k", -1]
])
