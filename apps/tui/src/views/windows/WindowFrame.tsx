import { Box } from "ink"
import type { ReactNode } from "react"
import * as StyledLine from "../../text/StyledLine.ts"
import * as InkColor from "../InkColor.ts"
import { StyledText } from "./StyledText.tsx"
import { useWindow } from "./WindowContext.ts"

/** Width from which all parts of a window fit. Cutting at the sides takes Ink as long as the rest of the drawing. */
const MIN_COLUMNS = 30

/** The frame of a window, as high as its content or the maximum. */
export const WindowFrame = ({
  children,
  title
}: {
  readonly title: string
  readonly children: ReactNode
}): ReactNode => {
  const { columns, maxHeight, theme, width } = useWindow()
  const { background, foreground } = theme.style("muted", "overlay")
  const color = InkColor.of(foreground)
  const behind = InkColor.of(background)
  return (
    <Box
      width={width}
      maxHeight={maxHeight}
      flexDirection="column"
      flexShrink={0}
      borderStyle="round"
      paddingX={1}
      {...(color === undefined ? {} : { borderColor: color })}
      {...(behind === undefined ? {} : { borderBackgroundColor: behind, backgroundColor: behind })}
    >
      <Box position="absolute" top={-1} left={1} right={2}>
        <StyledText line={StyledLine.line(` ${title} `, "title")} />
      </Box>
      <Box flexDirection="column" overflowX={columns < MIN_COLUMNS ? "hidden" : "visible"} overflowY="hidden">
        {children}
      </Box>
    </Box>
  )
}
