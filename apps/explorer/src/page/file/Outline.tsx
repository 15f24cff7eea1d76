import { useVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react"
import type { CodeSymbol, Outline as FileOutline } from "@tongs/core/contract/groups/CodeNavigation"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { SymbolKindIcon } from "../components/SymbolKindIcon.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { displayText } from "../model/displayText.ts"
import * as CurrentLine from "./CurrentLine.ts"
import * as OutlineTree from "./OutlineTree.ts"

/** The height of a row in rem. */
const ROW_HEIGHT = 1.625

/** The count of rows that render beyond each edge of the list. */
const OVERSCAN = 12

/** The symbols that a file defines as a tree, with a filter. */
export const Outline = ({
  answer,
  autoFocus,
  items,
  line,
  onSelect
}: {
  readonly answer: ExplorerClient.RequestState<FileOutline>
  readonly items: ReadonlyArray<OutlineTree.OutlineItem>
  /** Whether to focus the filter: when the user opened the panel, not when the URL did. */
  readonly autoFocus: boolean
  readonly line: CurrentLine.CurrentLine
  readonly onSelect: (symbol: CodeSymbol) => void
}) => {
  const [filter, setFilter] = useState("")
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(() => new Set())
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (autoFocus) input.current?.focus()
  }, [autoFocus])
  const shown = useMemo(() => OutlineTree.shown(items, filter, collapsed), [items, filter, collapsed])
  const current = CurrentLine.useValue(line, (line) => OutlineTree.at(items, line))
  // The current line's symbol, or the innermost visible symbol that contains it.
  const marked = OutlineTree.path(items, current).findLast((index) => shown.includes(index))

  const height = useMemo(() => ROW_HEIGHT * Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => list.current,
    estimateSize: () => height,
    getItemKey: (at) => shown[at] ?? at,
    overscan: OVERSCAN
  })
  const position = marked === undefined ? -1 : shown.indexOf(marked)
  useEffect(() => {
    if (position !== -1)
      virtualizer.scrollToIndex(position, { align: isNear(virtualizer, position) ? "auto" : "center" })
  }, [virtualizer, position])

  const toggle = (index: number, isCollapsed: boolean) =>
    setCollapsed((collapsed) => {
      const next = new Set(collapsed)
      if (isCollapsed) next.add(index)
      else next.delete(index)
      return next
    })
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps.get(event.key)
    const index = Number(event.target instanceof HTMLElement ? event.target.dataset["index"] : Number.NaN)
    if (by !== undefined) moveFocus(list.current, by, "[data-index]")
    else if (items[index]?.hasChildren === true && event.key === "ArrowLeft") toggle(index, true)
    else if (items[index]?.hasChildren === true && event.key === "ArrowRight") toggle(index, false)
    else return
    event.preventDefault()
  }

  if (answer._tag === "Failed") return <FailureNotice {...answer} />
  return (
    <>
      <input
        type="text"
        className="filter"
        placeholder="Filter symbols"
        aria-label="Filter symbols"
        spellCheck={false}
        ref={input}
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault()
            moveFocus(list.current, 1, "[data-index]")
          }
          const first = items[shown[0] ?? -1]
          if (event.key === "Enter" && first !== undefined) onSelect(first.symbol)
        }}
      />
      <p className="side-note" role="status">
        {answer._tag === "Loading" ? (
          "Loading symbols…"
        ) : items.length === 0 ? (
          "The index has no symbols of this file."
        ) : shown.length === 0 ? (
          "No matching symbols."
        ) : (
          <span className="visually-hidden">{NumberFormat.quantity(shown.length, "symbol")}</span>
        )}
      </p>
      <div
        ref={list}
        className={items.some(({ depth }) => depth > 0) ? "symbols nested" : "symbols"}
        onKeyDown={onKeyDown}
      >
        <ul style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index: at, start }) => {
            const index = shown[at] ?? -1
            const item = items[index]
            if (item === undefined) return null
            const { hasChildren, symbol } = item
            const isCollapsed = collapsed.has(index)
            const depth = filter.trim() === "" ? item.depth : 0
            return (
              <li
                key={index}
                className="symbol"
                style={{ transform: `translateY(${start}px)`, paddingLeft: `${Math.min(depth, 8) * 0.875}rem` }}
              >
                {hasChildren && filter.trim() === "" && (
                  <button
                    type="button"
                    className="symbol-toggle"
                    tabIndex={-1}
                    aria-expanded={!isCollapsed}
                    aria-label={`Symbols in ${displayText(symbol.name)}`}
                    onClick={() => toggle(index, !isCollapsed)}
                  />
                )}
                <button
                  type="button"
                  data-index={index}
                  aria-current={index === marked ? "location" : undefined}
                  onClick={() => onSelect(symbol)}
                >
                  <SymbolKindIcon kind={symbol.kind} />
                  <span>{displayText(symbol.name)}</span>
                  {filter.trim() !== "" && symbol.scope !== undefined && (
                    <span className="dim">{displayText(symbol.scope)}</span>
                  )}
                  <span className="dim">{symbol.line}</span>
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}

/** True if a row is visible, or nearly visible. */
const isNear = (
  { range }: { readonly range: { startIndex: number; endIndex: number } | null },
  index: number
): boolean => range !== null && index >= range.startIndex - 2 && index <= range.endIndex + 2

const steps: ReadonlyMap<string, 1 | -1> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["j", 1],
  ["k", -1]
])
