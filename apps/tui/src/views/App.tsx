import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Box, useApp, usePaste } from "ink"
import { useAtomValue } from "../hooks/useAtomValue.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { useSize } from "../hooks/useSize.ts"
import type { Model } from "../model/Model.ts"
import { Body } from "./Body.tsx"
import { LineText } from "./LineText.tsx"
import { Status } from "./Status.tsx"

interface Props {
  readonly model: Model
  readonly registry: AtomRegistry
  /** Stops the program until the shell that started it lets it go on. */
  readonly pause: () => Promise<void>
}

/** The whole screen: exactly as many lines as the terminal has, so that it never scrolls. */
export const App = ({ model, registry, pause }: Props) => {
  const view = useAtomValue(registry, model.view)
  const { suspendTerminal } = useApp()
  useSize(model.resize)
  usePaste(model.paste)
  useKeys((key) => (key === "ctrl-z" ? void suspendTerminal(pause) : model.press(key)))
  return (
    <Box flexDirection="column" width={view.columns} height={view.rows} overflow="hidden">
      <LineText line={view.header} />
      <LineText line={view.tabs} />
      {view.notices.map((notice, index) => (
        <LineText key={index} line={notice} />
      ))}
      <Box height={view.bodyRows} flexShrink={0} overflow="hidden">
        <Body body={view.body} columns={view.columns} rows={view.bodyRows} />
      </Box>
      <Status view={view} />
      <LineText line={view.keys} />
    </Box>
  )
}
