/** The files that match, by repository. Only those near the window are in the page, however many there are. */
import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { historyState, updateHistoryState, useScrollRestoration } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { addRecentSearch } from "../hooks/useSearchHistory.ts"
import { ResultCard } from "./ResultCard.tsx"
import * as SearchResults from "./SearchResults.ts"
import * as ResultRows from "./ResultRows.ts"
import { useStableOrder } from "./useStableOrder.ts"
import type { SearchState } from "./useSearch.ts"

/** Rows beyond the window's edges that are drawn. */
const OVERSCAN = 4

export const ResultList = ({
  files: arrived,
  hasIndex,
  running,
  view
}: {
  readonly view: Route.Search
  readonly files: ReadonlyArray<SearchResults.FileResult>
  readonly running: SearchState
  readonly hasIndex: boolean
}) => {
  const list = useRef<HTMLDivElement>(null)
  const { arranged, release, settle } = useStableOrder(arrived, view.sort)
  const { above, files } = arranged
  const rows = useMemo(() => ResultRows.make(files), [files])
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set())
  const [current, setCurrent] = useState<number>()
  const currentRow = current === undefined ? -1 : rows.ofFile(current)

  const name = `${running.query} ${view.sort}`
  const [top, setTop] = useState(0)
  // What stands above the list changes with what was found.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [above, running])
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  const virtualizer = useWindowVirtualizer({
    count: rows.all.length,
    estimateSize: (index) => ResultRows.height(rows.all[index], rem),
    getItemKey: (index) => rows.all[index]?.key ?? index,
    overscan: OVERSCAN,
    initialMeasurementsCache: measured.get(name) ?? [],
    scrollMargin: top,
    // What the header and the name of the repository cover.
    scrollPaddingStart: 7 * rem,
    scrollPaddingEnd: 2 * rem,
    // The row with the focus stays, wherever the reader scrolls.
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      return currentRow === -1 || near.includes(currentRow) ? near : [...near, currentRow].sort((a, b) => a - b)
    }
  })
  const items = virtualizer.getVirtualItems()
  useEffect(
    () => () => {
      measured.clear()
      measured.set(name, virtualizer.takeSnapshot())
    },
    [virtualizer, name]
  )
  useScrollRestoration(name, files.length > 0)

  // What a reader has seen stays where it is, once they do something with it.
  const last = items.findLast(({ start }) => start < scrollY + innerHeight)
  const seen = last === undefined ? 0 : rows.filesUntil(last.index)
  useEffect(() => settle(seen), [settle, seen])

  const focus = (number: number) => {
    const at = Math.max(0, Math.min(files.length - 1, number))
    setCurrent(at)
    updateHistoryState({ result: at })
    virtualizer.scrollToIndex(rows.ofFile(at), { align: "auto" })
  }
  useEffect(() => {
    if (current !== undefined) title(current)?.focus({ preventScroll: true })
  }, [current])

  // The result that was opened, or the first one of a search that Enter began, takes the focus when it is there.
  const isThere = files.length > 0 && !running.isStale
  useEffect(() => {
    const { result } = historyState()
    if (isThere && result !== undefined) setCurrent(Math.min(result, files.length - 1))
  }, [isThere])

  const step = (by: number) => {
    const at = Number(focused()?.dataset["hit"] ?? Number.NaN)
    if (Number.isNaN(at)) focus(current ?? rows.fileAt(firstInView(items)))
    else focus(at + by)
  }
  const toggle = (found: SearchResults.FileResult) =>
    setExpanded((expanded) => {
      const next = new Set(expanded)
      if (!next.delete(SearchResults.key(found))) next.add(SearchResults.key(found))
      return next
    })
  useKeyboardShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Home: () => focus(0),
    End: () => focus(files.length - 1),
    o: () => {
      const hit = focused()
      if (hit instanceof HTMLAnchorElement) window.open(hit.href, "_blank", "noopener")
    },
    e: () => {
      const found = files[Number(focused()?.dataset["hit"])]
      if (found !== undefined && hasIndex) toggle(found)
    }
  })

  return (
    <>
      {above > 0 && (
        <button type="button" className="above-all" onClick={release}>
          {NumberFormat.quantity(above, "file belongs", "files belong")} further up: put in order
        </button>
      )}
      <div
        ref={list}
        className="list"
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={(event) => {
          const hit = Number(event.target.closest<HTMLElement>("[data-hit]")?.dataset["hit"] ?? Number.NaN)
          if (!Number.isNaN(hit) && hit !== current) {
            setCurrent(hit)
            updateHistoryState({ result: hit })
          }
        }}
        onClickCapture={() => addRecentSearch(view.q)}
      >
        {rows.groups.map((group) => {
          const inside = items.filter(({ index }) => index > group.row && index <= group.lastRow)
          const head = virtualizer.measurementsCache[group.row]
          const foot = virtualizer.measurementsCache[group.lastRow]
          const isNear = inside.length > 0 || items.some(({ index }) => index === group.row)
          if (!isNear || head === undefined || foot === undefined) return null
          return (
            <section
              key={group.name}
              className="group"
              aria-label={displayText(group.name)}
              style={{ height: foot.end - head.start, transform: `translateY(${head.start - top}px)` }}
            >
              <h2 ref={virtualizer.measureElement} data-index={group.row}>
                {displayText(group.name)} <span className="dim">{NumberFormat.quantity(group.files, "file")}</span>
              </h2>
              {inside.map(({ index, start }) => {
                const row = rows.all[index]
                if (row?._tag !== "File") return null
                return (
                  <div
                    key={row.key}
                    ref={virtualizer.measureElement}
                    data-index={index}
                    className="row"
                    style={{ transform: `translateY(${start - head.start}px)` }}
                  >
                    <ResultCard
                      found={row.found}
                      number={row.number}
                      of={files.length}
                      q={view.q}
                      isExpanded={expanded.has(row.key)}
                      onExpand={hasIndex ? toggle : undefined}
                    />
                  </div>
                )
              })}
            </section>
          )
        })}
      </div>
      {running.loadMore !== undefined && (
        <button type="button" className="more" onClick={running.loadMore} disabled={running.isLoadingMore}>
          {running.isLoadingMore ? "Looking for more…" : "More results"}
        </button>
      )}
    </>
  )
}

/** How high the rows of the last list were: who comes back finds them where they left them. */
const measured = new Map<string, Array<VirtualItem>>()

const title = (number: number) => document.querySelector<HTMLElement>(`[data-hit="${number}"]`)

const focused = () => document.activeElement?.closest<HTMLElement>("[data-hit]")

const firstInView = (items: ReadonlyArray<VirtualItem>): number => items.find(({ end }) => end > scrollY)?.index ?? 0
