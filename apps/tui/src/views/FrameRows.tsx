import { Box, Text } from "ink"
import { memo } from "react"

/** A window over the content. The rows have SGR sequences. */
export interface WindowRows {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly rows: ReadonlyArray<string>
}

interface Props {
  readonly columns: number
  /** The rows of the content with SGR sequences. */
  readonly rows: ReadonlyArray<string>
  readonly window: WindowRows
}

/**
 * The screen with a window over the content. Has exactly as many rows as the terminal, which therefore never scrolls.
 */
export const FrameRows = ({ columns, rows, window: { left, rows: windowRows, top, width } }: Props) => (
  <Box width={columns} height={rows.length} overflow="hidden">
    <Rows rows={rows} width={columns} />
    <Box position="absolute" top={top} left={left}>
      <Rows rows={windowRows} width={width} />
    </Box>
  </Box>
)

const Rows = ({ rows, width }: { readonly rows: ReadonlyArray<string>; readonly width: number }) => (
  <Box flexDirection="column" flexShrink={0} width={width}>
    {rows.map((row, index) => (
      <Row key={index} text={row} />
    ))}
  </Box>
)

/** One row. One text for the whole row is faster than one for each span. */
const Row = memo(({ text }: { readonly text: string }) => <Text wrap="truncate">{text}</Text>)
