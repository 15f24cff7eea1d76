/** Where the parts of a drawn window are. Rows and columns count from 0, on the screen. */
import type { WindowContent } from "./WindowContent.ts"

export interface WindowLayout {
  /** The kind of the window. */
  readonly tag: WindowContent["_tag"]
  /** The visible choices of the palette. */
  readonly choices: Choices | undefined
  /** The visible rows of a window that scrolls by rows, and the number of rows below the first page. */
  readonly page: number
  readonly maxTop: number
}

/** Consecutive rows with one choice each. */
export interface Choices {
  readonly row: number
  readonly count: number
  /** The first column, and the column after the last. */
  readonly from: number
  readonly to: number
  /** Index of the first visible choice. */
  readonly first: number
}
