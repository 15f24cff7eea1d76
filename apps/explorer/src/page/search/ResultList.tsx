import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import { useClipboard } from "../hooks/useClipboard.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { historyState, updateHistoryState, useScrollRestoration } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { addRecentSearch } from "../hooks/useSearchHistory.ts"
import { LoadMoreButton } from "./LoadMoreButton.tsx"
import { ResultCard } from "./ResultCard.tsx"
import * as SearchResults from "./SearchResults.ts"
import * as ResultRows from "./ResultRows.ts"
import { useStableOrder } from "./useStableOrder.ts"
import type { SearchState } from "./useSearch.ts"

/** The count of rows that render beyond each edge of the window. */
const OVERSCAN = 4

/** The matching files by repository, as a virtual list: only rows near the window render. */
export const ResultList = ({
  files: received,
  hasIndex,
  route,
  search
}: {
  readonly route: Route.Search
  readonly files: ReadonlyArray<SearchResults.FileResult>
  readonly search: SearchState
  readonly hasIndex: boolean
}) => {
  const list = useRef<HTMLDivElement>(null)
  const { markSeen, ordered, resort } = useStableOrder(received, route.sort)
  const { files, misplaced } = ordered
  const rows = useMemo(() => ResultRows.make(files), [files])
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set())
  const { copy, status } = useClipboard()
  const [current, setCurrent] = useState<number>()
  const currentRow = current === undefined ? -1 : rows.rowOf(current)

  const name = `${search.query} ${route.sort}`
  const [{ top, width }, setBox] = useState({ top: 0, width: 0 })
  // The height of the summary above the list depends on the results.
  useLayoutEffect(() => {
    const { clientWidth: width = 0, offsetTop: top = 0 } = list.current ?? {}
    setBox((box) => (box.top === top && box.width === width ? box : { top, width }))
  }, [misplaced, search])
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  const virtualizer = useWindowVirtualizer({
    count: rows.all.length,
    estimateSize: (index) => ResultRows.estimatedHeight(rows.all[index], rem, width / rem),
    getItemKey: (index) => rows.all[index]?.key ?? index,
    overscan: OVERSCAN,
    initialMeasurementsCache: measured.get(name) ?? [],
    scrollMargin: top,
    // The height that the header and the sticky repository heading cover.
    scrollPaddingStart: 7 * rem,
    scrollPaddingEnd: 2 * rem,
    // The focused row stays mounted wherever the user scrolls.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      return currentRow === -1 || visible.includes(currentRow)
        ? visible
        : [...visible, currentRow].sort((a, b) => a - b)
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

  const last = items.findLast(({ start }) => start < scrollY + innerHeight)
  const seen = last === undefined ? 0 : rows.filesThrough(last.index)
  useEffect(() => markSeen(seen), [markSeen, seen])

  const focus = (number: number) => {
    const at = Math.max(0, Math.min(files.length - 1, number))
    setCurrent(at)
    updateHistoryState({ result: at })
    virtualizer.scrollToIndex(rows.rowOf(at), { align: "auto" })
  }
  useEffect(() => {
    if (current !== undefined) resultLink(current)?.focus({ preventScroll: true })
  }, [current])

  // Focuses the result of the history entry: the opened result, or the first result after Enter in the search box.
  const isLoaded = files.length > 0 && !search.isStale
  useEffect(() => {
    const { result } = historyState()
    if (isLoaded && result !== undefined) setCurrent(Math.min(result, files.length - 1))
  }, [isLoaded])

  const step = (by: number) => {
    const at = numberOf(focusedResult())
    if (Number.isNaN(at)) focus(current ?? rows.fileAt(firstVisible(items)))
    else focus(at + by)
  }
  const toggle = (result: SearchResults.FileResult) =>
    setExpanded((expanded) => {
      const next = new Set(expanded)
      if (!next.delete(SearchResults.key(result))) next.add(SearchResults.key(result))
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
      const link = focusedResult()
      if (link instanceof HTMLAnchorElement) window.open(link.href, "_blank", "noopener")
    },
    c: () => {
      const result = files[numberOf(focusedResult())]
      if (result !== undefined) copy(result.path)
    },
    e: () => {
      const result = files[numberOf(focusedResult())]
      if (result !== undefined && hasIndex) toggle(result)
    }
  })

  return (
    <>
      <p className="toast" role="status" data-shown={status === undefined ? undefined : ""}>
        {status === "Copied" ? "Path copied" : status}
      </p>
      {misplaced > 0 && (
        <button type="button" className="resort" onClick={resort}>
          {NumberFormat.quantity(misplaced, "file ranks", "files rank")} higher: sort again
        </button>
      )}
      <div
        ref={list}
        className="result-list"
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={(event) => {
          const result = numberOf(event.target.closest<HTMLElement>("[data-result]"))
          if (!Number.isNaN(result) && result !== current) {
            setCurrent(result)
            updateHistoryState({ result })
          }
        }}
        onClickCapture={() => addRecentSearch(route.q)}
      >
        {rows.groups.map((group) => {
          const groupItems = items.filter(({ index }) => index > group.row && index <= group.lastRow)
          const head = virtualizer.measurementsCache[group.row]
          const foot = virtualizer.measurementsCache[group.lastRow]
          const isVisible = groupItems.length > 0 || items.some(({ index }) => index === group.row)
          if (!isVisible || head === undefined || foot === undefined) return null
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
              {groupItems.map(({ index, start }) => {
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
                      result={row.result}
                      number={row.number}
                      total={files.length}
                      q={route.q}
                      isExpanded={expanded.has(row.key)}
                      onToggle={hasIndex ? toggle : undefined}
                    />
                  </div>
                )
              })}
            </section>
          )
        })}
      </div>
      <LoadMoreButton search={search} label="More results" activity="Loading more results…" />
    </>
  )
}

/** The measured row heights of the last list, by name, so that going back restores the scroll offset exactly. */
const measured = new Map<string, Array<VirtualItem>>()

const resultLink = (number: number) => document.querySelector<HTMLElement>(`[data-result="${number}"]`)

const focusedResult = () => document.activeElement?.closest<HTMLElement>("[data-result]")

/** The index of a result from the link, NaN without a link. */
const numberOf = (link: HTMLElement | null | undefined): number => Number(link?.dataset["result"] ?? Number.NaN)

const firstVisible = (items: ReadonlyArray<VirtualItem>): number => items.find(({ end }) => end > scrollY)?.index ?? 0
