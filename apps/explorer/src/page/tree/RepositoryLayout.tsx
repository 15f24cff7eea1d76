import { Dialog } from "@base-ui/react/dialog"
import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useEffect, useRef } from "react"
import { useConnection } from "../api/useConnection.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import * as panel from "../hooks/useTreePanel.ts"
import type * as Route from "../model/Route.ts"
import { FileFinder } from "./FileFinder.tsx"
import { FileTree } from "./FileTree.tsx"

/** A file or folder with the tree of the repository: side by side, or in a narrow window the tree over the file. */
export const RepositoryLayout = ({
  children,
  route
}: {
  readonly route: Route.File | Route.Tree
  readonly children: ReactNode
}) => {
  const { isDrawerOpen, isVisible, width } = panel.useTreePanel()
  const isNarrow = panel.useIsNarrow()
  const input = useRef<HTMLInputElement>(null)
  useKeyboardShortcuts({ t: panel.openFinder, f: panel.toggleTree })
  const isBeside = isVisible && !isNarrow
  return (
    <div className="repository">
      {isBeside && (
        <>
          <aside className="tree-panel" aria-label="Files" style={{ width }}>
            <Files route={route} input={input} opensFolders onOpenFile={() => {}} />
          </aside>
          <Resizer width={width} />
        </>
      )}
      {isNarrow && (
        <Dialog.Root open={isDrawerOpen} onOpenChange={(open) => !open && panel.closeDrawer()}>
          <Dialog.Portal>
            <Dialog.Backdrop className="backdrop" />
            <Dialog.Popup className="tree-drawer">
              <header>
                <Dialog.Title>Files</Dialog.Title>
                <Dialog.Close className="quiet">Close</Dialog.Close>
              </header>
              <Files route={route} input={input} opensFolders={false} onOpenFile={panel.closeDrawer} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
      )}
      <div className="repository-view">{children}</div>
    </div>
  )
}

const Files = ({
  input,
  ...tree
}: {
  readonly route: Route.File | Route.Tree
  readonly input: RefObject<HTMLInputElement | null>
  readonly opensFolders: boolean
  readonly onOpenFile: () => void
}) => {
  const { finderRequests } = panel.useTreePanel()
  const connection = useConnection()
  const isConnecting = connection._tag === "Loading"
  const hasFinder = connection._tag === "Ready" && connection.value.capabilities.index
  const box = useRef<HTMLDivElement>(null)
  const focusTree = () => box.current?.querySelector<HTMLElement>("[role=tree]")?.focus()
  // Ignores requests from before the panel was closed and opened again.
  const handled = useRef(handledRequests)
  useEffect(() => {
    // Until the connection is known, the request waits.
    if (finderRequests === handled.current || isConnecting) return
    handled.current = handledRequests = finderRequests
    if (hasFinder) input.current?.focus()
    else focusTree()
  }, [finderRequests, hasFinder, input, isConnecting])
  const { owner, repo } = tree.route
  const files = <FileTree key={`${owner}/${repo}`} {...tree} />
  return (
    <div ref={box} className="tree-files">
      {hasFinder ? (
        <FileFinder input={input} route={tree.route} onOpenFile={tree.onOpenFile} onLeave={focusTree}>
          {files}
        </FileFinder>
      ) : (
        files
      )}
    </div>
  )
}

let handledRequests = 0

/** Pixels for one press of an arrow key. */
const STEP = 16

/** The border between the tree and the view, which changes the width by mouse and by keyboard. */
const Resizer = ({ width }: { readonly width: number }) => {
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    const { currentTarget, clientX, pointerId } = event
    currentTarget.setPointerCapture(pointerId)
    const move = (moved: globalThis.PointerEvent) => panel.setTreeWidth(width + moved.clientX - clientX)
    currentTarget.addEventListener("pointermove", move)
    currentTarget.addEventListener("lostpointercapture", () => currentTarget.removeEventListener("pointermove", move), {
      once: true
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const widths: Readonly<Record<string, number>> = {
      ArrowLeft: width - STEP,
      ArrowRight: width + STEP,
      Home: panel.MIN_WIDTH,
      End: panel.MAX_WIDTH
    }
    const next = widths[event.key]
    if (next === undefined) return
    event.preventDefault()
    panel.setTreeWidth(next)
  }
  return (
    <div
      className="tree-resizer"
      role="separator"
      aria-label="Width of the file tree"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={panel.MIN_WIDTH}
      aria-valuemax={panel.MAX_WIDTH}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}
