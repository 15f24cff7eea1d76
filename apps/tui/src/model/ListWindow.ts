/** Which rows of a long list are on the screen. Pure arithmetic: every function gives a window that holds its cursor. */

export interface ListWindow {
  /** The selected row, from 0. */
  readonly cursor: number
  /** The first row on the screen. */
  readonly top: number
}

export const start: ListWindow = { cursor: 0, top: 0 }

/** Rows that stay in sight above and below the cursor, where there are any. */
const MARGIN = 2

/** The window over `count` rows of which `height` fit: the cursor on a row that exists, and on the screen. */
export const clamp = (self: ListWindow, count: number, height: number): ListWindow => {
  const cursor = Math.max(0, Math.min(self.cursor, count - 1))
  const margin = Math.max(0, Math.min(MARGIN, Math.floor((height - 1) / 2)))
  const highest = cursor - height + 1 + margin
  const lowest = cursor - margin
  const top = Math.max(highest, Math.min(self.top, lowest))
  return { cursor, top: Math.max(0, Math.min(top, count - height)) }
}

/** The cursor `step` rows further. */
export const move = (self: ListWindow, step: number, count: number, height: number): ListWindow =>
  clamp({ cursor: clamp(self, count, height).cursor + step, top: self.top }, count, height)

/** The whole window `step` rows further, without a cursor: for text. */
export const scroll = (self: ListWindow, step: number, count: number, height: number): ListWindow => {
  const top = Math.max(0, Math.min(self.top + step, count - height))
  return { cursor: top, top }
}
