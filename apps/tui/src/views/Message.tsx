import { Box } from "ink"
import * as StyledLine from "../text/StyledLine.ts"
import { StyledText } from "./StyledText.tsx"

interface Props {
  readonly role: StyledLine.Role
  readonly title: string
  readonly hint: string
  readonly columns: number
  readonly rows: number
}

/** Maximum width of a hint in columns, for readability. */
const MAX_HINT_WIDTH = 76

/** A centered message with the next step, in place of content. Truncated to the available rows. */
export const Message = ({ role, title, hint, columns, rows }: Props) => {
  const titles = StyledLine.wrap(title, columns - 4).map((text) => StyledLine.line(text, role))
  const hints = StyledLine.wrap(hint, Math.min(columns - 4, MAX_HINT_WIDTH)).map((text) =>
    StyledLine.line(text, "muted")
  )
  const gap = rows > titles.length + hints.length ? [StyledLine.line(" ")] : []
  return (
    <Box flexDirection="column" alignItems="center" justifyContent="center" height="100%" width={columns}>
      {[...titles, ...gap, ...hints].slice(0, rows).map((line, index) => (
        <StyledText key={index} line={line} />
      ))}
    </Box>
  )
}
