/** Pixels between the card, the anchor and the edges of the window. */
const GAP = 4
const MARGIN = 8

/** Height above the anchor from which a card is placed there, as in editors. */
const ENOUGH = 220

/** Places a fixed element above or below `anchor` within the window. The element never covers `anchor`. */
export const placeBeside = (element: HTMLElement, anchor: DOMRect): void => {
  const { style } = element
  const above = anchor.top - GAP - MARGIN
  const below = innerHeight - anchor.bottom - GAP - MARGIN
  const isAbove = above >= ENOUGH || above >= below
  style.top = isAbove ? "auto" : `${anchor.bottom + GAP}px`
  style.bottom = isAbove ? `${innerHeight - anchor.top + GAP}px` : "auto"
  style.maxHeight = `${Math.max(0, isAbove ? above : below)}px`
  style.left = `${Math.max(MARGIN, Math.min(anchor.left, innerWidth - element.offsetWidth - MARGIN))}px`
}
