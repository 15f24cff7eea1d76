import { Box, Text } from "ink"
import * as Line from "../model/Line.ts"
import { LineText } from "./LineText.tsx"

interface Props {
  readonly role: Line.Role
  readonly title: string
  readonly hint: string
  readonly columns: number
}

/** What stands where there is nothing to show, and what to do next. */
export const Message = ({ role, title, hint, columns }: Props) => (
  <Box flexDirection="column" alignItems="center" justifyContent="center" height="100%" width={columns}>
    {Line.wrap(title, columns - 4).map((text, index) => (
      <LineText key={index} line={Line.line(text, role)} />
    ))}
    <Text> </Text>
    {Line.wrap(hint, Math.min(columns - 4, 76)).map((text, index) => (
      <LineText key={index} line={Line.line(text, "muted")} />
    ))}
  </Box>
)
