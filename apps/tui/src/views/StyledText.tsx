import { Text } from "ink"
import { use } from "react"
import type { Line } from "../text/StyledLine.ts"
import { ThemeContext } from "./Theme.ts"

/** Renders one line with the theme's style for each role. Renders a selected line inverted instead. */
export const StyledText = ({ line, selected = false }: { readonly line: Line; readonly selected?: boolean }) => {
  const theme = use(ThemeContext)
  return (
    <Text wrap="truncate" inverse={selected}>
      {line.map(({ role, text }, index) =>
        selected ? (
          text
        ) : (
          <Text key={index} {...theme[role]}>
            {text}
          </Text>
        )
      )}
    </Text>
  )
}
