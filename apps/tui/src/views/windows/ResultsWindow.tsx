import type { ReactNode } from "react"
import type * as State from "../../model/State.ts"
import type * as WindowContent from "../../model/WindowContent.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { Gap, Row } from "./StyledText.tsx"

const signs: Readonly<Record<State.OperationResult["status"], readonly [sign: string, role: StyledLine.Role]>> = {
  waiting: ["·", "muted"],
  running: ["▸", "accent"],
  done: ["✓", "success"],
  failed: ["✗", "error"]
}

/** The progress of an operation on each target. */
export const ResultsWindow = ({ content }: { readonly content: WindowContent.Results }): ReactNode => {
  const { done, failed, results, visible } = content
  return (
    <>
      <Row
        line={[
          StyledLine.span(`${done} of ${results.length} done`),
          ...(failed === 0 ? [] : [StyledLine.span(`, ${failed} failed`, "error")])
        ]}
      />
      <Gap />
      {visible.map(({ message, status, target }, index) => {
        const [sign, role] = signs[status]
        return (
          <Row
            key={index}
            line={[
              StyledLine.span(`${sign} `, role),
              StyledLine.span(target.title),
              StyledLine.span(`  ${message}`, status === "failed" ? "error" : "muted")
            ]}
          />
        )
      })}
    </>
  )
}
