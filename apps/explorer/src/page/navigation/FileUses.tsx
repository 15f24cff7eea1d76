import { lazy, Suspense, useSyncExternalStore } from "react"
import { useConnection } from "../api/useConnection.ts"
import { historyState, navigate } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"
import type { UsePlace } from "./UseList.tsx"
import type { UsesReaderStore } from "./UsesReader.ts"

const UsesPanel = lazy(async () => ({ default: (await import("./UsesPanel.tsx")).UsesPanel }))

/** The panel of uses of a route, once the first file has loaded. The panel remains while another file loads. */
export const FileUses = ({
  reader: store,
  route,
  uses
}: {
  readonly route: Route.File
  readonly uses: Route.Uses
  readonly reader: UsesReaderStore
}) => {
  const reader = useSyncExternalStore(store.subscribe, store.get)
  const connection = useConnection()
  const hasIndex = connection._tag === "Ready" && connection.value.capabilities.index
  if (reader === undefined || !hasIndex) return null
  const { autoFocus, file } = reader
  const isLoading = route.path !== file.path
  const open = (place: UsePlace, isStep: boolean) => {
    reader.open(place, isStep)
    // The next editor takes the focus if no element has the focus.
    if (place.path !== route.path && document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  const close = () => {
    navigate({ ...route, uses: undefined }, { replace: true, state: historyState() })
    reader.focus()
  }
  return (
    <Suspense>
      <UsesPanel
        key={Route.usesText(uses)}
        file={isLoading ? { ...file, path: route.path } : file}
        route={route}
        uses={uses}
        line={isLoading ? (route.lines?.first ?? 1) : reader.line}
        autoFocus={autoFocus && !isLoading}
        onOpen={open}
        onClose={close}
      />
    </Suspense>
  )
}
