/** The rows of the screen: the lines of the content, and a window over them. */
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import type { DrawnWindow } from "./InkRenderer.tsx"

/** Renders the lines of a screen. The rows of the window replace the text below them. */
export const make = (
  lines: ReadonlyArray<Line>,
  render: (line: Line) => string,
  window: Pick<DrawnWindow, "top" | "left" | "width" | "rows"> | undefined
): ReadonlyArray<string> =>
  lines.map((line, index) => {
    const row = window?.rows[index - window.top]
    if (window === undefined || row === undefined) return render(line)
    const after = StyledLine.dropColumns(line, window.left + window.width)
    return render(StyledLine.clip(line, window.left)) + row + render(after)
  })
