/** The panel with the file tree: visibility, width, and the expanded folders of each repository. */
import { useSyncExternalStore } from "react"

/** The state of the panel. */
export interface TreePanel {
  /** Whether the panel is visible beside the view. The browser keeps the choice. */
  readonly isVisible: boolean
  /** In pixels. */
  readonly width: number
  /** Whether the panel is open over the view, in a narrow window. */
  readonly isDrawerOpen: boolean
  /** Increases when the finder should get the focus. */
  readonly finderRequests: number
}

/** The bounds of the width, in pixels. */
export const MIN_WIDTH = 180
export const MAX_WIDTH = 640
const DEFAULT_WIDTH = 272

const STORAGE_KEY = "tongs.tree"

/** Parses the stored choice, and ignores anything invalid. */
export const parse = (text: string | null): Pick<TreePanel, "isVisible" | "width"> => {
  const match = /^(yes|no) (\d{1,5})$/.exec(text ?? "")
  return { isVisible: match?.[1] !== "no", width: clamp(Number(match?.[2] ?? DEFAULT_WIDTH)) }
}

const clamp = (width: number): number => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width)))

// A browser may deny storage. The choice then lasts as long as the page.
const read = (): TreePanel => {
  const initial = { isDrawerOpen: false, finderRequests: 0 }
  try {
    return { ...parse(localStorage.getItem(STORAGE_KEY)), ...initial }
  } catch {
    return { ...parse(null), ...initial }
  }
}

let panel: TreePanel | undefined
const listeners = new Set<() => void>()

const current = (): TreePanel => (panel ??= read())

const change = (more: Partial<TreePanel>): void => {
  panel = { ...current(), ...more }
  try {
    localStorage.setItem(STORAGE_KEY, `${panel.isVisible ? "yes" : "no"} ${panel.width}`)
  } catch {
    // A browser may deny storage.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The state of the panel, updated on changes. */
export const useTreePanel = (): TreePanel => useSyncExternalStore(subscribe, current)

const narrow = matchMedia("(width < 60rem)")

const subscribeToWidth = (listener: () => void) => {
  narrow.addEventListener("change", listener)
  return () => narrow.removeEventListener("change", listener)
}

/** True if the window has no room for the panel beside the view. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribeToWidth, () => narrow.matches)

/** Shows or hides the panel, which opens over the view in a narrow window. */
export const toggleTree = (): void =>
  narrow.matches ? change({ isDrawerOpen: !current().isDrawerOpen }) : change({ isVisible: !current().isVisible })

/** Closes the panel in a narrow window. */
export const closeDrawer = (): void => {
  if (current().isDrawerOpen) change({ isDrawerOpen: false })
}

/** Shows the panel, with the focus in the finder. */
export const openFinder = (): void =>
  change({
    ...(narrow.matches ? { isDrawerOpen: true } : { isVisible: true }),
    finderRequests: current().finderRequests + 1
  })

/** Sets the width in pixels, within the bounds. */
export const setTreeWidth = (width: number): void => change({ width: clamp(width) })
