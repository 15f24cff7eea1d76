import { Box } from "ink"
import { memo, type ReactNode } from "react"
import type * as Palette from "../../model/Palette.ts"
import type * as WindowContent from "../../model/WindowContent.ts"
import * as FuzzyMatch from "../../text/FuzzyMatch.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as TextInput from "../../text/TextInput.ts"
import { Row, StyledText } from "./StyledText.tsx"
import { useWindow } from "./WindowContext.ts"

/** Minimum width of the detail of a choice, in columns. */
const MIN_DETAIL = 8

/** The palette or a menu: the input, the selected item in full, and the visible items. */
export const PaletteWindow = ({ content }: { readonly content: WindowContent.Choices }): ReactNode => {
  const { columns, parts } = useWindow()
  const { cursor, first, input, items } = content
  return (
    <>
      {input !== undefined && <Row line={[StyledLine.span("❯ ", "accent"), ...TextInput.line(input, columns - 2)]} />}
      <Detail item={content.selected} />
      <Box ref={parts.choices} flexDirection="column" flexShrink={0}>
        {items.map((item, index) => (
          <Choice key={index} item={item} typed={input?.text ?? ""} isSelected={first + index === cursor} />
        ))}
      </Box>
      {items.length === 0 && <Row line={StyledLine.line("Nothing matches", "muted")} />}
    </>
  )
}

/** The whole selected item, because its row may cut the detail. */
const Detail = ({ item }: { readonly item: Palette.Item | undefined }): ReactNode => {
  const reason = item?.unavailable
  const text = reason === undefined ? [item?.label, item?.detail].filter(Boolean).join(" · ") : `Unavailable: ${reason}`
  return <Row line={StyledLine.line(`  ${text}`, reason === undefined ? "muted" : "warning")} />
}

interface ChoiceProps {
  readonly item: Palette.Item
  readonly typed: string
  readonly isSelected: boolean
}

/** One item. A narrow window cuts the detail before the label, and leaves a very short detail out. */
const Choice = memo(({ isSelected, item, typed }: ChoiceProps): ReactNode => {
  const { columns } = useWindow()
  const background = isSelected ? "selected" : "overlay"
  const isAvailable = item.unavailable === undefined
  const label = FuzzyMatch.highlight(
    StyledLine.line(item.label, isAvailable ? "plain" : "muted"),
    FuzzyMatch.match(typed, item.label)?.positions ?? []
  )
  const detail = StyledLine.line(item.unavailable ?? item.detail, isAvailable ? "muted" : "warning")
  return (
    <Box height={1} flexShrink={0}>
      {isSelected && (
        <Box position="absolute">
          <StyledText line={StyledLine.line(" ".repeat(columns))} background="selected" />
        </Box>
      )}
      <Box height={1} flexGrow={1} flexWrap="wrap" columnGap={2} overflowY="hidden">
        <StyledText line={[StyledLine.span(isSelected ? "❯ " : "  "), ...label]} background={background} />
        <Box
          flexBasis={Math.min(MIN_DETAIL, StyledLine.widthUpTo(detail, MIN_DETAIL))}
          flexGrow={1}
          justifyContent="flex-end"
        >
          <StyledText line={detail} background={background} />
        </Box>
      </Box>
      {item.key !== "" && (
        <Box flexShrink={0}>
          <StyledText line={StyledLine.line(`  ${item.key}`, "accent")} background={background} />
        </Box>
      )}
    </Box>
  )
})
