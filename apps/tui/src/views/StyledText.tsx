import { Text } from "ink"
import { use, useMemo } from "react"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import * as Theme from "./Theme.ts"

/** Renders one line with the theme's styles. A selected line has a background, and keeps its colors if possible. */
export const StyledText = ({ line, selected = false }: { readonly line: Line; readonly selected?: boolean }) => {
  const theme = use(Theme.ThemeContext)
  const text = useMemo(
    () => Theme.render(theme, selected ? StyledLine.withBackground(line, "selected") : line),
    [theme, line, selected]
  )
  // One text per line is faster than one per span.
  return <Text wrap="truncate">{text}</Text>
}
