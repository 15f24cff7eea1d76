import { Box } from "ink"
import * as StyledLine from "../model/StyledLine.ts"
import { StyledText } from "./StyledText.tsx"

interface Props {
  readonly role: StyledLine.Role
  readonly title: string
  readonly hint: string
  readonly columns: number
  readonly rows: number
}

/** The widest that a hint is set, for the eye's sake. */
const MEASURE = 76

/** What stands where there is nothing to show, and what to do next; as much of it as there is room for. */
export const Message = ({ role, title, hint, columns, rows }: Props) => {
  const titles = StyledLine.wrap(title, columns - 4).map((text) => StyledLine.line(text, role))
  const hints = StyledLine.wrap(hint, Math.min(columns - 4, MEASURE)).map((text) => StyledLine.line(text, "muted"))
  const gap = rows > titles.length + hints.length ? [StyledLine.line(" ")] : []
  return (
    <Box flexDirection="column" alignItems="center" justifyContent="center" height="100%" width={columns}>
      {[...titles, ...gap, ...hints].slice(0, rows).map((line, index) => (
        <StyledText key={index} line={line} />
      ))}
    </Box>
  )
}
