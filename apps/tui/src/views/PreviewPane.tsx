import { Box } from "ink"
import { use } from "react"
import * as StyledLine from "../text/StyledLine.ts"
import { ThemeContext } from "./Theme.ts"
import { StyledText } from "./StyledText.tsx"

/** Details of the selected row, to the right of a vertical rule. */
export const PreviewPane = ({
  lines,
  columns
}: {
  readonly lines: ReadonlyArray<StyledLine.Line>
  readonly columns: number
}) => {
  const { color } = use(ThemeContext).muted
  return (
    <Box
      flexDirection="column"
      width={columns}
      height="100%"
      paddingLeft={1}
      borderStyle="single"
      {...(color === undefined ? {} : { borderColor: color })}
      borderTop={false}
      borderRight={false}
      borderBottom={false}
    >
      {lines.map((line, index) => (
        <StyledText key={index} line={StyledLine.fit(line, columns - 3)} />
      ))}
    </Box>
  )
}
