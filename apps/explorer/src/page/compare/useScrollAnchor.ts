import type { VirtualItem, Virtualizer } from "@tanstack/react-virtual"
import { useLayoutEffect, useRef } from "react"
import type { DiffItem } from "./DiffItems.ts"

/** Keeps the lines that the reader sees in place when items change, for example when a patch has loaded. */
export const useScrollAnchor = (
  items: ReadonlyArray<DiffItem>,
  virtualizer: Virtualizer<Window, Element>,
  top: number,
  /** Height that the header of the page covers. */
  header: () => number
): void => {
  const anchors = useRef<ReadonlyArray<{ readonly key: string; readonly distance: number }>>([])
  const anchored = useRef(items)
  const shown = virtualizer.getVirtualItems()
  useLayoutEffect(() => {
    if (anchored.current !== items) {
      anchored.current = items
      const indexes = new Map(items.map(({ key }, index) => [key, index]))
      const anchor = anchors.current.find(({ key }) => indexes.has(key))
      const start = virtualizer.measurementsCache[indexes.get(anchor?.key ?? "") ?? -1]?.start
      const moved = start === undefined || anchor === undefined ? 0 : start - scrollY - anchor.distance
      if (Math.abs(moved) >= 1) scrollBy(0, moved)
    }
    // The first visible item, or the nearest remaining one: the message of a loading file disappears.
    const offset = scrollY
    const edge = offset + header() + 1
    const isVisible = ({ end }: VirtualItem) => end > edge
    const nearest =
      offset <= top ? [] : [...shown.filter(isVisible), ...shown.filter((item) => !isVisible(item)).toReversed()]
    anchors.current = nearest.map(({ index, start }) => ({ key: items[index]?.key ?? "", distance: start - offset }))
  })
}
