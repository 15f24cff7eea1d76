import type { ReactNode } from "react"
import type * as WindowContent from "../../model/WindowContent.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { Gap, Paragraph, Row } from "./StyledText.tsx"

/** The targets and the cost of an operation. */
export const TargetLines = ({
  target: { budget, cost, names }
}: {
  readonly target: WindowContent.Target
}): ReactNode => (
  <>
    {names !== "" && <Paragraph text={names} role="strong" />}
    <Row line={StyledLine.line(budget === "" ? cost : `${cost}, ${budget}`, "muted")} />
    <Gap />
  </>
)
