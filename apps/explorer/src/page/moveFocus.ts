/** Moves the focus among the links and buttons of a list: to the first of them, when it was elsewhere. */
export const moveFocus = (list: Element | null, by: 1 | -1, among = "a, button"): void => {
  const all = Array.from(list?.querySelectorAll<HTMLElement>(among) ?? [])
  const at = all.findIndex((element) => element === document.activeElement)
  all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus()
}
