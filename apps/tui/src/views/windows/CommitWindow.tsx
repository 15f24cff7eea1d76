import { Box, type DOMElement, measureElement } from "ink"
import { type ReactNode, useLayoutEffect, useRef, useState } from "react"
import * as FileCommit from "../../actions/FileCommit.ts"
import type * as WindowContent from "../../model/WindowContent.ts"
import type { Diff } from "../../text/Diff.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as TextInput from "../../text/TextInput.ts"
import { Paragraph, Row, StyledText } from "./StyledText.tsx"
import { LOW_ROWS, useWindow } from "./WindowContext.ts"

/** Columns of the pointer and of the name of a field. */
const POINTER_COLUMNS = 2
const LABEL_COLUMNS = 10
/** Maximum number of rows of the message. */
const MESSAGE_ROWS = 4

/** Commits an edited file: notes, the changed lines, the message and the branch. */
export const CommitWindow = ({ content: { window } }: { readonly content: WindowContent.Commit }): ReactNode => {
  const { rows } = useWindow()
  const { diff, fields, focus, isSending, problem, top } = window
  const isLow = rows < LOW_ROWS
  const notes = isLow && problem === undefined ? [] : FileCommit.notes(window)
  return (
    <>
      <Box flexDirection="column" flexShrink={0} maxHeight={isLow ? 1 : Math.ceil(rows / 3)} overflowY="hidden">
        {notes.map((note, index) => (
          <Paragraph key={index} text={note} role={index === 0 && problem !== undefined ? "error" : "muted"} />
        ))}
      </Box>
      <ChangedLines diff={diff} top={top} />
      {fields.map((field, index) => (
        <Field key={field.name} field={field} isFocused={index === focus} />
      ))}
      {isSending && <Row line={[StyledLine.span("Sending", "muted"), StyledLine.spinner]} />}
    </>
  )
}

/** The part of the diff that fits. */
const ChangedLines = ({ diff, top }: { readonly diff: Diff; readonly top: number }): ReactNode => {
  const { columns, rows } = useWindow()
  const viewport = useRef<DOMElement>(null)
  const [room, setRoom] = useState(rows)
  // Ink has the layout only after the first drawing. The second one is before the frame is on the terminal.
  useLayoutEffect(() => {
    if (viewport.current !== null) setRoom(measureElement(viewport.current).height)
  })
  const first = Math.max(0, Math.min(top, diff.length - room))
  const count = Math.max(1, Math.min(rows, diff.length - first))
  const more = diff.length - first - room
  if (diff.length === 0) return <Row line={StyledLine.line("No changes", "muted")} />
  return (
    <>
      <Box ref={viewport} flexDirection="column" minHeight={1} overflowY="hidden">
        <Box flexDirection="column" flexShrink={0}>
          {Array.from({ length: count }, (_, index) => (
            <Row key={index} line={diff.lineAt(first + index, columns)} />
          ))}
        </Box>
      </Box>
      <Row line={StyledLine.line(more > 0 ? `${more} more lines, ↓ scrolls` : "", "muted")} />
    </>
  )
}

const Field = ({ field, isFocused }: { readonly field: FileCommit.Field; readonly isFocused: boolean }): ReactNode => {
  const { columns, rows: windowRows } = useWindow()
  const { input, name, note } = field
  const width = Math.max(1, columns - POINTER_COLUMNS - LABEL_COLUMNS)
  const rows = Math.min(MESSAGE_ROWS, input.text.split("\n").length)
  const lines =
    rows === 1
      ? [TextInput.line(input, width, { focused: isFocused })]
      : TextInput.lines(input, width, rows, { focused: isFocused })
  return (
    <Box flexShrink={0}>
      <Box width={POINTER_COLUMNS} flexShrink={0}>
        <StyledText line={StyledLine.line(isFocused ? "▸ " : "  ", "accent")} />
      </Box>
      <Box width={LABEL_COLUMNS} flexShrink={0}>
        <StyledText line={StyledLine.line(name, isFocused ? "strong" : "plain")} />
      </Box>
      <Box flexDirection="column" flexShrink={1}>
        {lines.map((line, index) => (
          <Row key={index} line={line} />
        ))}
        {isFocused && note !== "" && windowRows >= LOW_ROWS && <Paragraph text={note.trim()} role="muted" />}
      </Box>
    </Box>
  )
}
