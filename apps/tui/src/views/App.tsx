import * as Cause from "effect/Cause"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Box } from "ink"
import { useCallback } from "react"
import { useAtomValue } from "../hooks/useAtomValue.ts"
import { useTerminalInput } from "../hooks/useTerminalInput.ts"
import { useTerminalSize } from "../hooks/useTerminalSize.ts"
import type { Model } from "../model/Model.ts"
import type { TerminalInput, UserEvent } from "../terminal/TerminalInput.ts"
import * as StyledLine from "../text/StyledLine.ts"
import { BusyLine } from "./BusyLine.tsx"
import { StyledText } from "./StyledText.tsx"

interface Props {
  readonly model: Model
  readonly registry: AtomRegistry
  readonly input: TerminalInput
  /** Suspends the program until the shell resumes it. */
  readonly pause: () => Promise<void>
}

/** The complete screen. Has exactly as many rows as the terminal, so that the terminal never scrolls. */
export const App = ({ model, registry, input, pause }: Props) => {
  const view = useAtomValue(registry, model.view)
  // A defect is a bug: ends the program with a report.
  if (view.defect !== undefined) throw Cause.squash(view.defect)
  useTerminalSize(model.resize)
  const handle = useCallback(
    (event: UserEvent) => {
      if (event._tag === "Paste") return model.paste(event.text)
      if (event._tag === "Mouse") return model.mouse(event)
      if (event._tag !== "Key") return
      if (event.name === "ctrl-z") void pause()
      else model.press(event.name)
    },
    [model, pause]
  )
  useTerminalInput(input, handle)
  return (
    <Box flexDirection="column" width={view.columns} height={view.rows} overflow="hidden">
      {view.lines.map((line, index) =>
        StyledLine.hasSpinner(line) ? <BusyLine key={index} line={line} /> : <StyledText key={index} line={line} />
      )}
    </Box>
  )
}
