/** Draws windows in tests, with Ink's own `renderToString`. */
import { stripVTControlCharacters } from "node:util"
import { renderToString } from "ink"
import type { WindowContent } from "../../model/WindowContent.ts"
import * as Theme from "../Theme.ts"
import { makeParts } from "./WindowContext.ts"
import { WindowView } from "./WindowView.tsx"

export interface Options {
  /** Width of the text inside the frame, and maximum number of rows of it. */
  readonly columns?: number
  readonly rows?: number
  readonly theme?: Theme.Theme
  readonly waited?: number
}

/** Returns the rows of a window with its frame and SGR sequences. */
export const styled = (content: WindowContent, options: Options = {}): ReadonlyArray<string> => {
  const { columns = 60, rows = 20, theme = Theme.make({ depth: "none", isDark: true }), waited = 0 } = options
  const size = { width: columns + 4, maxHeight: rows + 2, columns, rows }
  const view = <WindowView content={content} size={size} theme={theme} waited={waited} parts={makeParts()} />
  return renderToString(view, { columns: size.width }).split("\n")
}

/** Returns the rows of a window with its frame. */
export const framed = (content: WindowContent, options?: Options): ReadonlyArray<string> =>
  styled(content, options).map(stripVTControlCharacters)

/** Returns the rows inside the frame, without trailing spaces. */
export const text = (content: WindowContent, options?: Options): ReadonlyArray<string> =>
  framed(content, options)
    .slice(1, -1)
    .map((row) => row.slice(2, -2).trimEnd())
