/** The values that all parts of a window share. */
import type { DOMElement } from "ink"
import { createContext, createRef, type RefObject, use } from "react"
import type { Theme } from "../Theme.ts"

/** The parts of a window whose layout is measured after each drawing. */
export interface WindowParts {
  readonly choices: RefObject<DOMElement | null>
  /** The visible part of a window that scrolls, and the scrolled content. */
  readonly viewport: RefObject<DOMElement | null>
  readonly content: RefObject<DOMElement | null>
}

/** Creates the references to the parts. */
export const makeParts = (): WindowParts => ({
  choices: createRef(),
  viewport: createRef(),
  content: createRef()
})

/** Maximum width of the text of a window, for readability. */
const MAX_COLUMNS = 96
/** Minimum number of columns of the content beside the text. */
const MARGIN_COLUMNS = 6
/** Columns and rows of the frame, with a space on each side of the text. */
const FRAME_COLUMNS = 4
const FRAME_ROWS = 2

/** The size of a window, and of the text inside the frame. */
export interface WindowSize {
  readonly width: number
  readonly maxHeight: number
  readonly columns: number
  readonly rows: number
}

/** Returns the size of windows over content of this size. */
export const sizeOf = (columns: number, rows: number): WindowSize => {
  const width = Math.min(columns, Math.min(MAX_COLUMNS, columns - MARGIN_COLUMNS) + FRAME_COLUMNS)
  return { width, maxHeight: rows, columns: Math.max(1, width - FRAME_COLUMNS), rows: Math.max(1, rows - FRAME_ROWS) }
}

/** Number of rows below which a window shows only what a key changes, and warnings. */
export const LOW_ROWS = 8

export interface WindowContextValue extends WindowSize {
  readonly theme: Theme
  /** Milliseconds since the spinner appeared. */
  readonly waited: number
  readonly parts: WindowParts
}

export const WindowContext = createContext<WindowContextValue | undefined>(undefined)

/** Returns the shared values. */
export const useWindow = (): WindowContextValue => {
  const value = use(WindowContext)
  if (value === undefined) throw new Error("A part of a window is outside of a window")
  return value
}
