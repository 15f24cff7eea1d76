import { useVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { ChangedFile } from "../../ComparisonApi.ts"
import { displayText } from "../model/displayText.ts"
import { Icon } from "../file/Icon.tsx"
import { Counts } from "./FileHead.tsx"
import * as ChangedFileTree from "./ChangedFileTree.ts"

/** Height of a row in rem. */
const ROW = 1.75

/** The changed files as a tree, or as a list if a filter is typed. */
export const ChangedFiles = ({
  current,
  files,
  filter: input,
  isViewed,
  onSelect
}: {
  readonly files: ReadonlyArray<ChangedFile>
  /** The file at the top of the window. */
  readonly current: number
  readonly filter: RefObject<HTMLInputElement | null>
  readonly isViewed: (file: ChangedFile) => boolean
  readonly onSelect: (file: number) => void
}) => {
  const [filter, setFilter] = useState("")
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set())
  // The first diffs render before the names.
  const isReady = useDeferredValue(true, false)
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(
    () => (filter.trim() === "" ? ChangedFileTree.rows(files, closed) : ChangedFileTree.matching(files, filter)),
    [closed, files, filter]
  )
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW * rem,
    overscan: 10
  })
  const currentRow = rows.findIndex((row) => row._tag === "File" && row.index === current)
  useEffect(() => {
    if (currentRow !== -1) virtualizer.scrollToIndex(currentRow, { align: "auto" })
  }, [currentRow, virtualizer])

  const toggle = (path: string) =>
    setClosed((closed) => {
      const next = new Set(closed)
      if (!next.delete(path)) next.add(path)
      return next
    })
  const focusRow = (index: number) => {
    const row = Math.max(0, Math.min(rows.length - 1, index))
    virtualizer.scrollToIndex(row, { align: "auto" })
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const { activeElement } = document
    const row = activeElement instanceof HTMLElement ? Number(activeElement.dataset["row"] ?? Number.NaN) : Number.NaN
    if (row === 0 && by === -1) input.current?.focus()
    else focusRow(Number.isNaN(row) ? 0 : row + by)
  }

  return (
    <nav className="changed-files" aria-label="Changed files" onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="search"
        className="filter"
        placeholder="Filter files"
        aria-label="Filter files"
        title="Filter files (t)"
        aria-keyshortcuts="t"
        spellCheck={false}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
        onKeyDown={(event) => {
          const first = rows.find((row) => row._tag === "File")
          if (event.key === "Enter" && first?._tag === "File") onSelect(first.index)
          if (event.key !== "Escape") return
          event.preventDefault()
          if (filter === "") event.currentTarget.blur()
          else setFilter("")
        }}
      />
      <p className="visually-hidden" role="status">
        {filter === "" ? "" : NumberFormat.quantity(rows.length, "file")}
      </p>
      {rows.length === 0 && <p className="side-note">No file matches.</p>}
      <div className="changed-files-scroller" ref={scroller} tabIndex={-1}>
        <ul style={{ height: virtualizer.getTotalSize() }}>
          {(isReady ? virtualizer.getVirtualItems() : []).map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <li
                key={index}
                style={{ transform: `translateY(${start}px)`, paddingInlineStart: `${row.depth * 0.75}rem` }}
              >
                {row._tag === "Folder" ? (
                  <button
                    type="button"
                    data-row={index}
                    tabIndex={index === 0 ? 0 : -1}
                    aria-expanded={!closed.has(row.path)}
                    onClick={() => toggle(row.path)}
                  >
                    <Icon name="down" />
                    <bdi>{displayText(row.name)}</bdi>
                  </button>
                ) : (
                  <button
                    type="button"
                    data-row={index}
                    data-status={row.file.status}
                    data-viewed={isViewed(row.file)}
                    tabIndex={index === 0 ? 0 : -1}
                    aria-current={row.index === current ? "location" : undefined}
                    title={displayText(row.file.path)}
                    onClick={() => onSelect(row.index)}
                  >
                    <span className="change-mark" aria-hidden="true" />
                    <bdi>{displayText(row.name)}</bdi>
                    <span className="visually-hidden">, {row.file.status}</span>
                    {row.file.additions + row.file.deletions > 0 && (
                      <Counts additions={row.file.additions} deletions={row.file.deletions} />
                    )}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </nav>
  )
}
