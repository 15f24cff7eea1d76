import type { ReactNode } from "react"
import type * as WindowContent from "../../model/WindowContent.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { Gap, Paragraph, Row } from "./StyledText.tsx"
import { LOW_ROWS, useWindow } from "./WindowContext.ts"

/** The targets and the cost of an operation. A low window omits the cost. */
export const TargetLines = ({
  target: { budget, cost, names }
}: {
  readonly target: WindowContent.Target
}): ReactNode => {
  const { rows } = useWindow()
  return (
    <>
      {names !== "" && <Paragraph text={names} role="strong" />}
      {rows >= LOW_ROWS && (
        <>
          <Row line={StyledLine.line(budget === "" ? cost : `${cost}, ${budget}`, "muted")} />
          <Gap />
        </>
      )}
    </>
  )
}
