import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Box } from "ink"
import { useCallback } from "react"
import { useAtomValue } from "../hooks/useAtomValue.ts"
import { useTerminalInput } from "../hooks/useTerminalInput.ts"
import { useTerminalSize } from "../hooks/useTerminalSize.ts"
import type { Model } from "../model/Model.ts"
import type { TerminalInput, UserEvent } from "../terminal/TerminalInput.ts"
import { Body } from "./Body.tsx"
import { StyledText } from "./StyledText.tsx"
import { StatusLine } from "./StatusLine.tsx"

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
  useTerminalSize(model.resize)
  const handle = useCallback(
    (event: UserEvent) => {
      if (event._tag === "Paste") model.paste(event.text)
      if (event._tag !== "Key") return
      if (event.name === "ctrl-z") void pause()
      else model.press(event.name)
    },
    [model, pause]
  )
  useTerminalInput(input, handle)
  return (
    <Box flexDirection="column" width={view.columns} height={view.rows} overflow="hidden">
      <StyledText line={view.header} />
      <StyledText line={view.tabs} />
      {view.notices.map((notice, index) => (
        <StyledText key={index} line={notice} />
      ))}
      <Box height={view.bodyRows} flexShrink={0} overflow="hidden">
        <Body body={view.body} columns={view.columns} rows={view.bodyRows} />
      </Box>
      <StatusLine view={view} />
      <StyledText line={view.keyHints} />
    </Box>
  )
}
