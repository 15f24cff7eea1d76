import { Box, Text, Transform } from "ink"
import type { ReactNode } from "react"
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Spinner from "../Spinner.ts"
import * as Theme from "../Theme.ts"
import { useWindow } from "./WindowContext.ts"

interface Props {
  readonly line: StyledLine.Line
  readonly background?: StyledLine.Background
  /** Where to cut a line that is too long. */
  readonly wrap?: "truncate" | "truncate-start" | "wrap"
}

/**
 * A line in the colors of the theme. One text for the whole line is faster than one for each span, and has the
 * attributes of terminals without colors, which Ink leaves out.
 */
export const StyledText = ({ background = "overlay", line, wrap = "truncate" }: Props): ReactNode => {
  const { theme, waited } = useWindow()
  const shown = StyledLine.hasSpinner(line) ? Spinner.draw(line, waited) : line
  return <Text wrap={wrap}>{Theme.render(theme, StyledLine.withBackground(shown, background))}</Text>
}

/** A line that keeps its row when there is too little room. */
export const Row = (props: Props): ReactNode => (
  <Box flexShrink={0} height={1}>
    <StyledText {...props} />
  </Box>
)

/** An empty row. */
export const Gap = (): ReactNode => <Box flexShrink={0} height={1} />

/** Text of any length, wrapped between words. */
export const Paragraph = ({ role, text }: { readonly text: string; readonly role?: StyledLine.Role }): ReactNode => (
  <Box flexShrink={0} flexDirection="column">
    {Terminal.escape(text, { newlines: true })
      .split("\n")
      .map((line, index) => (
        <Transform key={index} transform={withoutBreak}>
          <StyledText line={StyledLine.line(line === "" ? " " : line, role)} wrap="wrap" />
        </Transform>
      ))}
  </Box>
)

/** Removes the space at which Ink has broken a line. */
const withoutBreak = (line: string, index: number): string => (index === 0 ? line : line.replace(leadingSpace, "$1"))

const leadingSpace = /^((?:\u001b\[[\d;]*m)*) /
