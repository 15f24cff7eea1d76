import { Box, type DOMElement } from "ink"
import { type ReactNode, useRef } from "react"
import * as Form from "../../actions/Form.ts"
import * as FormField from "../../actions/FormField.ts"
import type * as WindowContent from "../../model/WindowContent.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { FieldRows } from "./FieldRows.tsx"
import { ScrollView } from "./ScrollView.tsx"
import { Gap, Paragraph, Row } from "./StyledText.tsx"
import { TargetLines } from "./TargetLines.tsx"
import { LOW_ROWS, useWindow } from "./WindowContext.ts"

/** The fields of an operation or a screen, scrolled so that the focused field is visible. */
export const FormWindow = ({ content }: { readonly content: WindowContent.FormContent }): ReactNode => {
  const { form, isSending, target } = content
  const { columns, rows } = useWindow()
  const focus = useRef<DOMElement>(null)
  const widest = Math.max(0, ...form.fields.map(({ schema }) => schema.name.length + 2))
  const labelColumns = Math.min(widest, Math.max(6, Math.floor(columns * 0.4)))
  const isLow = rows < LOW_ROWS
  return (
    <>
      {target !== undefined && !isLow && <TargetLines target={target} />}
      {!isLow && <Problems texts={form.problems} maxRows={Math.ceil(rows / 3)} />}
      <ScrollView focus={focus}>
        {form.fields.map((field, index) => (
          <Box key={field.schema.name} ref={index === form.focus ? focus : null} flexDirection="column" flexShrink={0}>
            <FieldRows
              field={field}
              problem={Form.problemOf(form, field)}
              isFocused={index === form.focus}
              labelColumns={labelColumns}
            />
          </Box>
        ))}
      </ScrollView>
      {isSending && <Row line={[StyledLine.span("Sending", "muted"), StyledLine.spinner]} />}
      {!isLow && (
        <>
          <Gap />
          <Row line={hints(form)} />
        </>
      )}
    </>
  )
}

const Problems = ({ maxRows, texts }: { readonly texts: ReadonlyArray<string>; readonly maxRows: number }): ReactNode =>
  texts.length === 0 ? null : (
    <Box flexDirection="column" flexShrink={0} maxHeight={maxRows} overflowY="hidden">
      {texts.map((text, index) => (
        <Paragraph key={index} text={`! ${text}`} role="error" />
      ))}
      <Gap />
    </Box>
  )

const hints = (form: Form.Form): StyledLine.Line => {
  const field = Form.focused(form)
  const isText = field !== undefined && FormField.isMultiline(field.schema)
  const keys: ReadonlyArray<readonly [string, string]> = [
    isText ? ["Tab", "next field"] : ["Enter", "next"],
    ...(isText ? [["Ctrl-O", "editor"] as const] : []), // literal types
    ["Ctrl-S", "send"],
    ["Esc", "cancel"]
  ]
  const required = form.fields.some(({ schema }) => schema.required) ? [StyledLine.span("   * required", "muted")] : []
  return [
    ...keys.flatMap(([key, does], index) => [
      StyledLine.span(index === 0 ? "" : "  "),
      StyledLine.span(key, "accent"),
      StyledLine.span(` ${does}`, "muted")
    ]),
    ...required
  ]
}
