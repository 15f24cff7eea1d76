import { Box } from "ink"
import * as StyledLine from "../text/StyledLine.ts"
import { StyledText } from "./StyledText.tsx"

/** Details of the selected row, to the right of a vertical rule. */
export const PreviewPane = ({
  lines,
  columns
}: {
  readonly lines: ReadonlyArray<StyledLine.Line>
  readonly columns: number
}) => (
  <Box flexDirection="column" width={columns}>
    {lines.map((line, index) => (
      <StyledText key={index} line={[rule, ...StyledLine.fit(line, columns - 3)]} />
    ))}
  </Box>
)

const rule = StyledLine.span("│ ", "muted")
