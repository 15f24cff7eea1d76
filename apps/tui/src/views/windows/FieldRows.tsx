import { Box } from "ink"
import { memo, type ReactNode } from "react"
import * as FormField from "../../actions/FormField.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as TextInput from "../../text/TextInput.ts"
import { Paragraph, Row, StyledText } from "./StyledText.tsx"
import { useWindow } from "./WindowContext.ts"

/** Maximum number of rows of a focused field with several lines of text. */
const TEXT_ROWS = 6
/** Maximum number of rows of a description or a problem. */
const NOTE_ROWS = 6
/** Columns of the pointer, and of the space after the label. */
const POINTER_COLUMNS = 2
const GAP_COLUMNS = 1
/** Minimum width of the values from which descriptions are below the value, and not below the label. */
const MIN_VALUE_COLUMNS = 40

interface Props {
  readonly field: FormField.FormField
  readonly problem: string | undefined
  readonly isFocused: boolean
  readonly labelColumns: number
}

/** A field of a form: label and value, and below them the problem and, with the cursor, the description. */
export const FieldRows = memo(({ field, isFocused, labelColumns, problem }: Props): ReactNode => {
  const { columns } = useWindow()
  const before = POINTER_COLUMNS + labelColumns + GAP_COLUMNS
  const isMarked = FormField.isChanged(field) && !isFocused
  const note = isFocused ? FormField.note(field) : ""
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box flexShrink={0}>
        <Box width={POINTER_COLUMNS} flexShrink={0}>
          <StyledText line={StyledLine.line(isFocused ? "▸ " : isMarked ? "• " : "  ", "accent")} />
        </Box>
        <Box width={labelColumns} marginRight={GAP_COLUMNS} flexShrink={0}>
          <StyledText line={labelOf(field, isFocused)} wrap="truncate-start" />
        </Box>
        <Value field={field} isFocused={isFocused} columns={Math.max(1, columns - before)} />
      </Box>
      <Box
        flexDirection="column"
        flexShrink={0}
        marginLeft={columns - before < MIN_VALUE_COLUMNS ? POINTER_COLUMNS * 2 : before}
      >
        {note !== "" && <Note text={note} role="muted" />}
        {problem !== undefined && <Note text={`! ${problem}`} role="error" />}
      </Box>
    </Box>
  )
})

const Note = (props: { readonly text: string; readonly role: StyledLine.Role }): ReactNode => (
  <Box flexDirection="column" flexShrink={0} maxHeight={NOTE_ROWS} overflowY="hidden">
    <Paragraph {...props} />
  </Box>
)

const labelOf = ({ isLocked, schema }: FormField.FormField, isFocused: boolean): StyledLine.Line => [
  StyledLine.span(schema.name, isLocked ? "muted" : isFocused ? "strong" : "plain"),
  ...(schema.required && schema.optionalParent === undefined && !isLocked ? [StyledLine.span(" *", "warning")] : [])
]

interface ValueProps {
  readonly field: FormField.FormField
  readonly isFocused: boolean
  readonly columns: number
}

const Value = ({ columns, field, isFocused }: ValueProps): ReactNode => {
  const { rows } = useWindow()
  if (!isFocused) return <StyledText line={valueOf(field)} />
  const { input, schema } = field
  if (FormField.isMultiline(schema))
    return (
      <Box flexDirection="column" flexShrink={0}>
        {TextInput.lines(input, columns, Math.max(1, Math.min(TEXT_ROWS, rows - 2))).map((line, index) => (
          <Row key={index} line={line} />
        ))}
      </Box>
    )
  const isComplete = schema.kind === "boolean" || schema.choices.includes(input.text) || input.text === ""
  if (schema.kind === "boolean" || (schema.kind === "choice" && isComplete))
    return <StyledText line={[StyledLine.span("‹ ", "accent"), ...valueOf(field), StyledLine.span(" ›", "accent")]} />
  return <StyledText line={TextInput.line(input, columns, { secret: schema.isSecret })} />
}

const valueOf = ({ input, isLocked, schema }: FormField.FormField): StyledLine.Line => {
  const role = isLocked ? "muted" : "plain"
  if (schema.kind === "boolean")
    return StyledLine.line(booleans[input.text] ?? "not set", input.text === "" ? "muted" : role)
  if (input.text === "") return StyledLine.line(schema.kind === "choice" ? "not set" : "", "muted")
  if (schema.isSecret) return StyledLine.line("•".repeat(Math.min(input.text.length, 12)), role)
  const [first = "", ...more] = input.text.split("\n")
  return [
    StyledLine.span(first, role),
    ...(more.length === 0 ? [] : [StyledLine.span(` … ${more.length + 1} lines`, "muted")])
  ]
}

const booleans: Readonly<Record<string, string>> = { true: "yes", false: "no" }
