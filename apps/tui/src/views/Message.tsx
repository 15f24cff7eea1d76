import { Box } from "ink"
import * as Line from "../model/Line.ts"
import { LineText } from "./LineText.tsx"

interface Props {
  readonly role: Line.Role
  readonly title: string
  readonly hint: string
  readonly columns: number
  readonly rows: number
}

/** The widest that a hint is set, for the eye's sake. */
const MEASURE = 76

/** What stands where there is nothing to show, and what to do next; as much of it as there is room for. */
export const Message = ({ role, title, hint, columns, rows }: Props) => {
  const titles = Line.wrap(title, columns - 4).map((text) => Line.line(text, role))
  const hints = Line.wrap(hint, Math.min(columns - 4, MEASURE)).map((text) => Line.line(text, "muted"))
  const gap = rows > titles.length + hints.length ? [Line.line(" ")] : []
  return (
    <Box flexDirection="column" alignItems="center" justifyContent="center" height="100%" width={columns}>
      {[...titles, ...gap, ...hints].slice(0, rows).map((line, index) => (
        <LineText key={index} line={line} />
      ))}
    </Box>
  )
}
