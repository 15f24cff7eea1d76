import { Box } from "ink"
import * as Line from "../model/Line.ts"
import { type Body, MARK } from "../model/View.ts"
import { Aside } from "./Aside.tsx"
import { LineText } from "./LineText.tsx"

interface Props {
  readonly body: Extract<Body, { readonly _tag: "Lines" }>
  readonly width: number
}

/** The rows of a list or of a text that are on the screen, and what stands beside them. */
export const Lines = ({ body: { aside, columns, lines, selected }, width }: Props) => (
  <Box>
    <Box flexDirection="column" width={columns}>
      {lines.map((line, index) => (
        <LineText
          key={index}
          selected={index === selected}
          line={Line.fit([index === selected ? pointed : indent, ...line], columns)}
        />
      ))}
    </Box>
    {columns < width && <Aside lines={aside} columns={width - columns} />}
  </Box>
)

const pointed = Line.span("❯".padEnd(MARK))
const indent = Line.span(" ".repeat(MARK))
