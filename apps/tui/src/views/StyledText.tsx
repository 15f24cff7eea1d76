import { Text } from "ink"
import { use } from "react"
import type { Line } from "../model/StyledLine.ts"
import { ThemeContext } from "./Theme.ts"

/** One line with the style of each role. A selected line is inverted instead. */
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
