import { Box } from "ink"
import type { ReactNode } from "react"
import type * as WindowContent from "../../model/WindowContent.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { Gap, Paragraph, Row, StyledText } from "./StyledText.tsx"
import { ScrollView } from "./ScrollView.tsx"
import { useWindow } from "./WindowContext.ts"

/** Minimum width of a column of keys. */
const MIN_COLUMN = 34
/** Width of the names of keys, with the space after them. */
const KEY_COLUMNS = 15

/** The keys of all commands by section, in two columns if possible, and the notices. */
export const HelpWindow = ({ content }: { readonly content: WindowContent.Help }): ReactNode => {
  const { columns } = useWindow()
  const rows = content.sections.flatMap(({ commands, name }) => [
    <Row key={name} line={StyledLine.line(name, "title")} />,
    ...commands.map((command, index) => <Command key={`${name} ${index}`} {...command} />),
    <Gap key={`${name} end`} />
  ])
  const width = Math.floor(columns / 2)
  const isWide = width >= MIN_COLUMN
  const half = isWide ? Math.ceil(rows.length / 2) : rows.length
  return (
    <ScrollView top={content.top}>
      <Box flexShrink={0}>
        <Box flexDirection="column" width={isWide ? width : columns} paddingRight={isWide ? 1 : 0}>
          {rows.slice(0, half)}
        </Box>
        {isWide && (
          <Box flexDirection="column" width={width}>
            {rows.slice(half)}
          </Box>
        )}
      </Box>
      <Paragraph text="Ctrl-C quits, Ctrl-Z suspends, fg resumes." role="muted" />
      {content.notices.map((notice, index) => (
        <Paragraph key={index} text={notice} role="muted" />
      ))}
    </ScrollView>
  )
}

const Command = ({ keys, label }: WindowContent.Section["commands"][number]): ReactNode => (
  <Box flexShrink={0} height={1}>
    <Box width={KEY_COLUMNS} paddingRight={1} flexShrink={0}>
      <StyledText line={StyledLine.line(keys.join(" "), "accent")} />
    </Box>
    <StyledText line={StyledLine.line(label)} />
  </Box>
)
