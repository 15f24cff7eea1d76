import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Box, useApp, usePaste } from "ink"
import { useAtomValue } from "../hooks/useAtomValue.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { useTerminalSize } from "../hooks/useTerminalSize.ts"
import type { Model } from "../model/Model.ts"
import { Body } from "./Body.tsx"
import { StyledText } from "./StyledText.tsx"
import { StatusLine } from "./StatusLine.tsx"

interface Props {
  readonly model: Model
  readonly registry: AtomRegistry
  /** Suspends the program until the shell resumes it. */
  readonly pause: () => Promise<void>
}

/** The complete screen. Has exactly as many rows as the terminal, so that the terminal never scrolls. */
export const App = ({ model, registry, pause }: Props) => {
  const view = useAtomValue(registry, model.view)
  const { suspendTerminal } = useApp()
  useTerminalSize(model.resize)
  usePaste(model.paste)
  useKeys((key) => (key === "ctrl-z" ? void suspendTerminal(pause) : model.press(key)))
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
