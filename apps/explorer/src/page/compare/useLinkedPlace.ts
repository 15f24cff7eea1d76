import { useEffect, useRef } from "react"
import { historyState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import type { FileItems } from "./DiffItems.ts"
import type { useChangeSteps } from "./useChangeSteps.ts"
import type { Patches } from "./usePatches.ts"

/** Scrolls to the file or line of a link once, unless the reader comes back to an earlier position. */
export const useLinkedPlace = (
  route: Route.ChangesView,
  patches: Patches,
  files: ReadonlyArray<FileItems>,
  steps: ReturnType<typeof useChangeSteps>
): void => {
  const linked = useRef<string>(undefined)
  const file = route.file === undefined ? -1 : patches.files.findIndex(({ file }) => file.path === route.file)
  const rows = files[file]?.rows
  useEffect(() => {
    if (file === -1 || historyState().scroll !== undefined) return
    patches.load(file)
    const place = `${file} ${rows !== undefined}`
    if (linked.current === place || linked.current === `${file} true`) return
    linked.current = place
    if (rows === undefined || route.line === undefined) steps.revealFile(file)
    else steps.revealLine(file, route.line)
    // Scrolls only for another file, or after the patch has loaded.
  }, [file, rows])
}
