import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import { Box } from "ink"
import { useAtomValue } from "../hooks/useAtomValue.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { useSize } from "../hooks/useSize.ts"
import type { Model } from "../model/Model.ts"
import { Body } from "./Body.tsx"
import { LineText } from "./LineText.tsx"
import { Status } from "./Status.tsx"

/** The whole screen: exactly as many lines as the terminal has, so that it never scrolls. */
export const App = ({ model, registry }: { readonly model: Model; readonly registry: AtomRegistry }) => {
  const view = useAtomValue(registry, model.view)
  useSize(model.resize)
  useKeys(model.press)
  return (
    <Box flexDirection="column" width={view.columns} height={view.rows} overflow="hidden">
      <LineText line={view.header} />
      <LineText line={view.tabs} />
      {view.notices.map((notice, index) => (
        <LineText key={index} line={notice} />
      ))}
      <Box height={view.bodyRows} flexShrink={0} overflow="hidden">
        <Body view={view} />
      </Box>
      <Status view={view} />
      <LineText line={view.keys} />
    </Box>
  )
}
