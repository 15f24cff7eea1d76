/** The expanded folders of the file tree and the scroll offset, by repository. Kept as long as the page. */
import { useSyncExternalStore } from "react"

const expandedOf = new Map<string, ReadonlySet<string>>()
const scrollOf = new Map<string, number>()
const listeners = new Set<() => void>()
const none: ReadonlySet<string> = new Set()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useExpandedFolders = (repository: string): ReadonlySet<string> =>
  useSyncExternalStore(subscribe, () => expandedOf.get(repository) ?? none)

/** Expands or collapses folders. */
export const setExpanded = (repository: string, paths: ReadonlyArray<string>, isExpanded: boolean): void => {
  const before = expandedOf.get(repository) ?? none
  if (paths.every((path) => before.has(path) === isExpanded)) return
  const after = new Set(before)
  for (const path of paths) {
    if (isExpanded) after.add(path)
    else after.delete(path)
  }
  expandedOf.set(repository, after)
  for (const listener of listeners) listener()
}

/** The last scroll offset of the visible tree, in pixels. */
export const treeScroll = (repository: string): number => scrollOf.get(repository) ?? 0

/** Stores the scroll offset of the tree. */
export const setTreeScroll = (repository: string, offset: number): void => {
  scrollOf.set(repository, offset)
}
