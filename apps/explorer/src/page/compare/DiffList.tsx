import { memo, type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from "react"
import type { Comparison } from "../../ComparisonApi.ts"
import { isPlainClick } from "../components/Link.tsx"
import { useClipboard } from "../hooks/useClipboard.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { historyState, navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import * as DiffItems from "./DiffItems.ts"
import * as DiffLinks from "./DiffLinks.ts"
import { DiffPart } from "./DiffPart.tsx"
import type { Layout } from "./DiffRows.ts"
import { useChangeSteps } from "./useChangeSteps.ts"
import { useDiffVirtualizer } from "./useDiffVirtualizer.ts"
import { useFileStates } from "./useFileStates.ts"
import { useLinkedPlace } from "./useLinkedPlace.ts"
import type { Patches } from "./usePatches.ts"
import { useScrollAnchor } from "./useScrollAnchor.ts"
import type { ViewedFiles } from "./useViewedFiles.ts"

interface Props {
  readonly route: Route.ChangesView
  readonly comparison: Comparison
  readonly patches: Patches
  readonly layout: Layout
  readonly viewed: ViewedFiles
  /** The file to scroll to. A new object scrolls again, also for the same file. */
  readonly target: { readonly file: number } | undefined
  readonly onVisible: (file: number) => void
  readonly insets: DiffItems.Insets
  readonly renderInset: ((inset: DiffItems.Inset) => ReactNode) | undefined
}

/** The diffs of all files, as a virtual list: only rows near the window render. */
export const DiffList = memo(
  ({ comparison, insets, layout, onVisible, patches, renderInset, route, target, viewed }: Props) => {
    const list = useRef<HTMLDivElement>(null)
    const states = useFileStates(route, comparison, viewed)
    const { isClosed, update } = states
    const { files, items } = useMemo(
      () => DiffItems.make(patches.files, states.states, isClosed, layout, insets),
      [insets, isClosed, layout, patches.files, states.states]
    )
    const { file: _, line: __, ...place } = route
    const name = `${Route.href(place)} ${layout}`
    const { rem, top, virtualizer } = useDiffVirtualizer({ files: patches.files, items, list, name })
    const shown = virtualizer.getVirtualItems()
    useScrollRestoration(name, items.length > 0)
    const steps = useChangeSteps({ virtualizer, items, files, list, rem })
    useScrollAnchor(items, virtualizer, top, steps.header)

    const edge = scrollY + steps.covered()
    const visibleFile = items[shown.find(({ end }) => end > edge)?.index ?? 0]?.file ?? 0
    useEffect(() => onVisible(visibleFile), [onVisible, visibleFile])
    const shownFiles = [...new Set(shown.map(({ index }) => items[index]?.file ?? 0))]
    const shownKey = shownFiles.join()
    const { load } = patches
    useEffect(() => {
      for (const file of shownKey.split(",")) load(Number(file))
    }, [load, shownKey])

    useEffect(() => {
      if (target !== undefined) steps.revealFile(target.file)
      // Only a new target scrolls.
    }, [target])
    useLinkedPlace(route, patches, files, steps)

    const { copy, status } = useClipboard()
    const links = useMemo(() => DiffLinks.make(route, comparison), [comparison, route])
    const setViewed = (index: number, isViewed: boolean) => {
      const loaded = patches.files[index]
      if (loaded === undefined) return
      viewed.setViewed(loaded.file, isViewed)
      update(loaded.file.path, { isClosed: isViewed })
      // The head keeps the same position, also after scrolling past the start of the file.
      if (isViewed) steps.keepHead(index)
    }
    const current = () => steps.current()?.file ?? visibleFile

    useKeyboardShortcuts({
      n: () => steps.stepChange(1),
      p: () => steps.stepChange(-1),
      j: () => steps.stepFile(1, visibleFile),
      k: () => steps.stepFile(-1, visibleFile),
      v: () => {
        const index = current()
        const loaded = patches.files[index]
        if (loaded !== undefined) setViewed(index, !viewed.isViewed(loaded.file))
      },
      x: () => {
        const loaded = patches.files[current()]
        if (loaded !== undefined) update(loaded.file.path, { isClosed: !isClosed(loaded) })
      },
      y: () => copy(links.permalink(route.file ?? patches.files[current()]?.file.path ?? ""))
    })
    const onClick = (event: MouseEvent) => {
      const number = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.diff-number") : null
      const section = number?.closest<HTMLElement>("[data-file]")
      const path = patches.files[Number(section?.dataset["file"])]?.file.path
      if (number === null || path === undefined || !isPlainClick(event)) return
      event.preventDefault()
      const side = number.hash.startsWith("#L") ? "L" : "R"
      const line = { side, number: Number(number.dataset["line"]) } as const // the side must stay a literal
      navigate(DiffLinks.withPlace(route, path, line), { replace: true, state: historyState() })
    }

    return (
      <>
        <p className="visually-hidden" role="status">
          {status === undefined ? "" : `Link: ${status.toLowerCase()}`}
        </p>
        <div
          ref={list}
          className="diff-list"
          data-layout={layout}
          style={{ height: virtualizer.getTotalSize() }}
          onMouseDown={({ currentTarget, target }) => {
            // Only the side in which a selection begins is selected.
            const side =
              target instanceof Element ? target.closest("[data-side]")?.getAttribute("data-side") : undefined
            currentTarget.dataset["selecting"] = side ?? ""
          }}
          onClick={onClick}
          onKeyDown={(event) => steps.moveByLine(event)}
        >
          {shownFiles.map((index) => {
            const file = files[index]
            const loaded = patches.files[index]
            const head = virtualizer.measurementsCache[file?.first ?? -1]
            const foot = virtualizer.measurementsCache[file?.last ?? -1]
            if (file === undefined || loaded === undefined || head === undefined || foot === undefined) return null
            const part = (index: number) => {
              const item = items[index]
              return (
                item !== undefined && (
                  <DiffPart
                    {...{ comparison, file, item, layout, links, loaded, patches, renderInset, route, states }}
                    isLast={index === file.last}
                    isViewed={viewed.isViewed(loaded.file)}
                    onViewed={(isViewed) => setViewed(item.file, isViewed)}
                  />
                )
              )
            }
            return (
              <section
                key={loaded.file.path}
                className="diff-file"
                aria-label={displayText(loaded.file.path)}
                data-file={index}
                // Uses no transform: the position of sticky heads follows the layout, which ignores transforms.
                style={{ height: foot.end - head.start, top: head.start - top }}
              >
                <div ref={virtualizer.measureElement} data-index={file.first} className="diff-head-row">
                  {part(file.first)}
                </div>
                {shown
                  .filter(({ index }) => index > file.first && index <= file.last)
                  .map(({ index, key, start }) => (
                    <div
                      key={key}
                      ref={virtualizer.measureElement}
                      data-index={index}
                      className="diff-part"
                      data-last={index === file.last}
                      style={{ transform: `translateY(${start - head.start}px)` }}
                    >
                      {part(index)}
                    </div>
                  ))}
              </section>
            )
          })}
        </div>
      </>
    )
  }
)
DiffList.displayName = "DiffList"
