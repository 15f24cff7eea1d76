import { Box, Text } from "ink"
import { memo } from "react"

interface Props {
  readonly columns: number
  /** The rows with SGR sequences. */
  readonly rows: ReadonlyArray<string>
}

/** The complete screen. Has exactly as many rows as the terminal, so that the terminal never scrolls. */
export const Screen = ({ columns, rows }: Props) => (
  <Box flexDirection="column" width={columns} height={rows.length} overflow="hidden">
    {rows.map((row, index) => (
      <Row key={index} text={row} />
    ))}
  </Box>
)

/** One row. One text for the whole row is faster than one for each span. */
const Row = memo(({ text }: { readonly text: string }) => <Text wrap="truncate">{text}</Text>)
