import type { ReactNode } from "react"
import type * as WindowContent from "../../model/WindowContent.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as TextInput from "../../text/TextInput.ts"
import { ScrollView } from "./ScrollView.tsx"
import { Paragraph, Row } from "./StyledText.tsx"
import { TargetLines } from "./TargetLines.tsx"
import { useWindow } from "./WindowContext.ts"

/** Asks to confirm an operation, with a key or by its target's name. */
export const ConfirmationWindow = ({ content }: { readonly content: WindowContent.Confirmation }): ReactNode => {
  const { columns } = useWindow()
  const { consequence, hints, input, isReversible, requiredText, target } = content
  return (
    <>
      <ScrollView>
        <TargetLines target={target} />
        {consequence !== undefined && <Paragraph text={consequence} role="warning" />}
        {isReversible ? (
          hints.map((hint) => <Paragraph key={hint} text={hint} role="muted" />)
        ) : (
          <Paragraph text="This cannot be undone." role="warning" />
        )}
      </ScrollView>
      {requiredText === undefined ? (
        <Row line={StyledLine.line("Enter confirms, Esc cancels.")} />
      ) : (
        <>
          <Paragraph text={`Type ${requiredText} to confirm:`} />
          <Row line={[StyledLine.span("❯ ", "accent"), ...TextInput.line(input, columns - 2)]} />
        </>
      )}
    </>
  )
}
