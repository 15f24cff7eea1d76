/** The lines of a form on the screen: one field a line, with the description and the problem of the field. */
import * as StyledLine from "../text/StyledLine.ts"
import * as TextInput from "../text/TextInput.ts"
import * as Form from "./Form.ts"
import * as FormField from "./FormField.ts"

/** Number of rows of a focused field with several lines of text. */
const TEXT_ROWS = 6
/** Maximum number of lines of a description or a problem. */
const NOTE_ROWS = 3

/** Returns the number of rows that the whole form needs. */
export const height = (self: Form.Form, columns: number): number =>
  head(self, columns).length + blocks(self, columns, TEXT_ROWS).flat().length + 2

/** Returns exactly `rows` lines of exactly `columns` columns, scrolled so that the focused field is visible. */
export const lines = (self: Form.Form, columns: number, rows: number): ReadonlyArray<StyledLine.Line> => {
  const footer = rows >= 6 ? [StyledLine.empty, hints(self)] : []
  const top = rows >= 6 ? head(self, columns).slice(0, Math.ceil(rows / 3)) : []
  const room = Math.max(0, rows - top.length - footer.length)
  const made = blocks(self, columns, Math.max(1, Math.min(TEXT_ROWS, room - 2)))
  const before = made.slice(0, Math.max(0, self.focus)).flat().length
  const own = made[self.focus]?.length ?? 0
  const all = made.flat()
  const center = before - Math.max(0, Math.floor((room - own) / 2))
  const first = Math.max(0, Math.min(center, all.length - room))
  const body = Array.from({ length: room }, (_, row) => all[first + row] ?? StyledLine.empty)
  return [...top, ...body, ...footer].map((line) => StyledLine.fit(line, columns))
}

const head = ({ problems }: Form.Form, columns: number): ReadonlyArray<StyledLine.Line> => {
  const wrapped = problems.flatMap((problem) => StyledLine.wrap(`! ${problem}`, columns))
  return wrapped.length === 0 ? [] : [...wrapped.map((text) => StyledLine.line(text, "error")), StyledLine.empty]
}

const hints = (self: Form.Form): StyledLine.Line => {
  const field = Form.focused(self)
  const isText = field !== undefined && FormField.isMultiline(field.schema)
  const keys: ReadonlyArray<readonly [string, string]> = [
    isText ? ["Tab", "next field"] : ["Enter", "next"],
    ...(isText ? [["Ctrl-O", "editor"] as const] : []), // literal types
    ["Ctrl-S", "send"],
    ["Esc", "cancel"]
  ]
  const required = self.fields.some(({ schema }) => schema.required) ? [StyledLine.span("   * required", "muted")] : []
  return [
    ...keys.flatMap(([key, does], index) => [
      StyledLine.span(index === 0 ? "" : "  "),
      StyledLine.span(key, "accent"),
      StyledLine.span(` ${does}`, "muted")
    ]),
    ...required
  ]
}

/** Returns the lines of each field. */
const blocks = (self: Form.Form, columns: number, textRows: number) => {
  const widest = Math.max(0, ...self.fields.map(({ schema }) => schema.name.length + 2))
  const labelColumns = Math.min(widest, Math.max(6, Math.floor(columns * 0.4)))
  return self.fields.map((field, index) =>
    block(self, field, index === self.focus, { columns, labelColumns, textRows })
  )
}

interface Layout {
  readonly columns: number
  readonly labelColumns: number
  readonly textRows: number
}

const block = (
  self: Form.Form,
  field: FormField.FormField,
  isFocused: boolean,
  { columns, labelColumns, textRows }: Layout
): ReadonlyArray<StyledLine.Line> => {
  const valueColumns = Math.max(1, columns - labelColumns - 3)
  const indent = StyledLine.span(" ".repeat(labelColumns + 3))
  const isMarked = FormField.isChanged(field) && !isFocused
  const pointer = StyledLine.span(isFocused ? "▸ " : isMarked ? "• " : "  ", "accent")
  const label = StyledLine.fitFromEnd(labelOf(field, isFocused), labelColumns)
  const [first = StyledLine.empty, ...rest] =
    isFocused && FormField.isMultiline(field.schema)
      ? TextInput.lines(field.input, valueColumns, textRows)
      : [isFocused ? focusedValue(field, valueColumns) : value(field)]
  const problem = Form.problemOf(self, field)
  return [
    [pointer, ...label, StyledLine.span(" "), ...first],
    ...rest.map((line) => [indent, ...line]),
    ...(isFocused ? notes(note(field), valueColumns, "muted") : []).map((line) => [indent, ...line]),
    ...(problem === undefined ? [] : notes(`! ${problem}`, valueColumns, "error")).map((line) => [indent, ...line])
  ]
}

const notes = (text: string, columns: number, role: StyledLine.Role): ReadonlyArray<StyledLine.Line> =>
  text === ""
    ? []
    : StyledLine.wrap(text, columns)
        .slice(0, NOTE_ROWS)
        .map((line) => StyledLine.line(line, role))

const labelOf = ({ isLocked, schema }: FormField.FormField, isFocused: boolean): StyledLine.Line => [
  StyledLine.span(schema.name, isLocked ? "muted" : isFocused ? "strong" : "plain"),
  ...(schema.required && schema.optionalParent === undefined && !isLocked ? [StyledLine.span(" *", "warning")] : [])
]

const focusedValue = (field: FormField.FormField, columns: number): StyledLine.Line => {
  const { kind, isSecret } = field.schema
  const { input } = field
  const isComplete = kind === "boolean" || field.schema.choices.includes(input.text) || input.text === ""
  if (kind === "boolean" || (kind === "choice" && isComplete)) {
    return [StyledLine.span("‹ ", "accent"), ...value(field), StyledLine.span(" ›", "accent")]
  }
  return TextInput.line(input, columns, { secret: isSecret })
}

const value = ({ input, isLocked, schema }: FormField.FormField): StyledLine.Line => {
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

/** Returns the description of a field, and how to edit it. */
export const note = ({ original, schema }: FormField.FormField): string => {
  const { choices, description, element, isSecret, kind } = schema
  const how: Partial<Record<typeof kind, string>> = {
    boolean: "Space changes it.",
    choice: `One of ${choices.join(", ")}.`,
    list: element === "integer" ? "Numbers separated by commas." : "Separated by commas.",
    json: "As JSON."
  }
  const secret = isSecret && original !== undefined ? "Stays as it is unless you type a new one." : ""
  return [description, how[kind] ?? "", secret].filter((part) => part !== "").join(" ")
}
