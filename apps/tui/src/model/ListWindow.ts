/** The visible rows of a long list. All functions return a window in which the cursor is visible. */

/** A cursor and a scroll position. */
export interface ListWindow {
  /** Index of the selected row. */
  readonly cursor: number
  /** Index of the first visible row. */
  readonly top: number
}

/** The window at the top of a list. */
export const start: ListWindow = { cursor: 0, top: 0 }

/** Minimum number of visible rows above and below the cursor, except at the ends of the list. */
const MARGIN = 2

/**
 * Moves the cursor to an existing row, and scrolls to this row. The list has `count` rows, of which `height` are
 * visible.
 */
export const clamp = (self: ListWindow, count: number, height: number): ListWindow => {
  const cursor = Math.max(0, Math.min(self.cursor, count - 1))
  const margin = Math.max(0, Math.min(MARGIN, Math.floor((height - 1) / 2)))
  const highest = cursor - height + 1 + margin
  const lowest = cursor - margin
  const top = Math.max(highest, Math.min(self.top, lowest))
  return { cursor, top: Math.max(0, Math.min(top, count - height)) }
}

/** Moves the cursor by `step` rows. */
export const move = (self: ListWindow, step: number, count: number, height: number): ListWindow =>
  clamp({ cursor: clamp(self, count, height).cursor + step, top: self.top }, count, height)

/** Scrolls a document, which has no cursor, by `step` lines. */
export const scroll = (self: ListWindow, step: number, count: number, height: number): ListWindow => {
  const top = Math.max(0, Math.min(self.top + step, count - height))
  return { cursor: top, top }
}
