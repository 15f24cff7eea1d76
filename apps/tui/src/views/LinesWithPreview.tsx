import { Box } from "ink"
import * as StyledLine from "../text/StyledLine.ts"
import type { Body } from "../model/View.ts"
import { MARKER_WIDTH } from "../model/Viewport.ts"
import { PreviewPane } from "./PreviewPane.tsx"
import { StyledText } from "./StyledText.tsx"

interface Props {
  readonly body: Extract<Body, { readonly _tag: "Lines" }>
  readonly width: number
  readonly rows: number
}

/** The visible lines of a list or document, and the preview. */
export const LinesWithPreview = ({ body: { columns, lines, preview, selected }, width, rows }: Props) => (
  <Box>
    <Box flexDirection="column" width={columns}>
      {lines.map((line, index) => (
        <StyledText
          key={index}
          selected={index === selected}
          line={StyledLine.fit([index === selected ? pointed : indent, ...line], columns)}
        />
      ))}
    </Box>
    {columns < width && (
      <PreviewPane
        lines={Array.from({ length: rows }, (_, index) => preview[index] ?? StyledLine.empty)}
        columns={width - columns}
      />
    )}
  </Box>
)

const pointed = StyledLine.span("❯".padEnd(MARKER_WIDTH))
const indent = StyledLine.span(" ".repeat(MARKER_WIDTH))
