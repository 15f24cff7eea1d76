import { useWindowVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual"
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react"
import type { DiffItem } from "./DiffItems.ts"
import * as DiffItems from "./DiffItems.ts"
import type { LoadedFile } from "./usePatches.ts"

/** Items that render beyond each edge of the window. */
const OVERSCAN = 2

/** The measured heights of the last list, by name, so that going back restores the scroll offset exactly. */
const measured = new Map<string, Array<VirtualItem>>()

/** The virtual list of a diff's items. `name` identifies the list. */
export const useDiffVirtualizer = ({
  files,
  items,
  list,
  name
}: {
  readonly files: ReadonlyArray<LoadedFile>
  readonly items: ReadonlyArray<DiffItem>
  readonly list: RefObject<HTMLDivElement | null>
  readonly name: string
}): { readonly virtualizer: Virtualizer<Window, Element>; readonly top: number; readonly rem: number } => {
  const top = useOffsetTop(list)
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => DiffItems.estimatedHeight(items[index], files[items[index]?.file ?? 0], rem),
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    overscan: OVERSCAN,
    initialMeasurementsCache: measured.get(name) ?? [],
    scrollMargin: top,
    // The first rows then render with the page, in slices, instead of in the list's layout effects.
    initialRect: { width: innerWidth, height: innerHeight }
  })
  useEffect(
    () => () => {
      measured.clear()
      measured.set(name, virtualizer.takeSnapshot())
    },
    [virtualizer, name]
  )
  return { virtualizer, top, rem }
}

/** The distance of an element from the top of the page. */
const useOffsetTop = (element: RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const update = () => setTop(element.current?.offsetTop ?? 0)
    update()
    // Content above the list changes the height of the page, too. The observer runs after the layout, so that reading
    // the position is cheap.
    const observer = new ResizeObserver(update)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}
