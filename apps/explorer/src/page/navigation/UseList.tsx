import { useVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { SymbolKindIcon } from "../components/SymbolKindIcon.tsx"
import { displayText } from "../model/displayText.ts"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Route from "../model/Route.ts"
import { CodeText } from "./CodeText.tsx"
import * as Definitions from "./Definitions.ts"
import * as UseRows from "./UseRows.ts"

/** A line to open, with the occurrences in it. */
export interface UsePlace extends Definitions.Location {
  readonly matches?: ReadonlyArray<readonly [number, number]>
  readonly column?: number
}

/** Controls a list. */
export interface UseListHandle {
  /** Focuses the first row that can be opened. */
  readonly focus: () => void
}

interface Props {
  /** Identifies the list. */
  readonly name: string
  readonly rows: ReadonlyArray<UseRows.UseRow>
  readonly file: ExplorerApi.PinnedPath
  readonly route: Route.File
  readonly line: number
  readonly autoFocus: boolean
  readonly list: RefObject<UseListHandle | null>
  readonly onOpen: (place: UsePlace) => void
  readonly onToggle: (file: string) => void
  /** The end of the list is near. */
  readonly onEnd: () => void
}

/** The height of a row in rem. */
const ROW_HEIGHT = 1.625

/** Windows with room for few characters, as in the style sheets. */
const NARROW = "(width < 44rem)"

/** The count of rows that render beyond each edge of the list. */
const OVERSCAN = 10

/** Uses by file as a virtual list: only visible rows render. */
export const UseList = ({ autoFocus, file, line, list, name, onEnd, onOpen, onToggle, route, rows }: Props) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<number>()
  const height = useMemo(() => ROW_HEIGHT * Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    initialOffset: scrolled?.name === name ? scrolled.offset : 0
  })
  const items = virtualizer.getVirtualItems()
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - OVERSCAN - 1
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, rows.length, onEnd])

  const focus = (index: number) => {
    setActive(index)
    virtualizer.scrollToIndex(index, { align: "auto" })
  }
  const first = rows.findIndex(isUse)
  const focusFirst = () => focus(first === -1 ? Math.min(1, rows.length - 1) : first)
  useImperativeHandle(list, () => ({ focus: focusFirst }))
  useEffect(() => {
    if (active !== undefined) rowAt(scroller.current, active)?.focus({ preventScroll: true })
  }, [active])

  // Until rows are loaded, the list element receives the keys. Later pages do not move the focus.
  const hasUses = first !== -1
  useEffect(() => {
    if (!autoFocus) return
    if (hasUses) setActive((active) => active ?? first)
    else scroller.current?.focus()
  }, [autoFocus, hasUses, first])

  const move = (event: React.KeyboardEvent) => {
    const at = active ?? -1
    const index = target(event.key, at, rows)
    if (index === undefined) return
    event.preventDefault()
    focus(index)
  }

  return (
    <div
      ref={scroller}
      className="uses-list"
      tabIndex={active === undefined ? 0 : -1}
      onKeyDown={move}
      onScroll={(event) => {
        scrolled = { name, offset: event.currentTarget.scrollTop }
      }}
    >
      <div style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          return (
            row !== undefined && (
              <div key={row.key} className="uses-row" style={{ transform: `translateY(${start}px)` }}>
                <Row
                  row={row}
                  index={index}
                  isActive={index === active}
                  isCurrent={isCurrent(row, file, line)}
                  file={file}
                  route={route}
                  onFocus={() => setActive(index)}
                  onOpen={onOpen}
                  onToggle={onToggle}
                />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

const Row = ({
  file,
  index,
  isActive,
  isCurrent,
  onFocus,
  onOpen,
  onToggle,
  route,
  row
}: Pick<Props, "file" | "route" | "onOpen" | "onToggle"> & {
  readonly row: UseRows.UseRow
  readonly index: number
  readonly isActive: boolean
  readonly isCurrent: boolean
  readonly onFocus: () => void
}) => {
  const common = { "data-index": index, tabIndex: isActive ? 0 : -1, onFocus }
  switch (row._tag) {
    case "Heading":
      return <h3>{row.title}</h3>
    case "File":
      return (
        <button
          {...common}
          type="button"
          className="uses-file"
          aria-expanded={!row.isCollapsed}
          onClick={() => onToggle(row.file)}
        >
          <span className="uses-path">
            {row.repository !== undefined && <span className="dim">{displayText(row.repository)} </span>}
            {displayText(row.path)}
          </span>
          <span className="count">{NumberFormat.format(row.count)}</span>
        </button>
      )
    case "Definition": {
      const { definition } = row
      const isElsewhere = !Definitions.isInRepository(definition, file)
      return (
        <Link
          {...common}
          className="uses-line"
          aria-current={isCurrent ? "location" : undefined}
          to={Definitions.locationRoute(definition, file, route)}
          onNavigate={() => onOpen(definition)}
        >
          <SymbolKindIcon kind={definition.kind} />
          <code>
            <CodeText
              text={(definition.signature ?? definition.text).trim().replace(/\s*\n\s*/g, " ")}
              path={definition.path}
            />
          </code>
          <span className="uses-place dim">
            {isElsewhere && `${displayText(definition.owner)}/${displayText(definition.repo)} `}
            {displayText(definition.path)}:{definition.line}
          </span>
        </Link>
      )
    }
    case "Use": {
      const { reference } = row
      const { isCut, matches, text } = UseRows.excerpt(reference, matchMedia(NARROW).matches ? 14 : 60)
      return (
        <Link
          {...common}
          className="uses-line"
          aria-current={isCurrent ? "location" : undefined}
          to={Definitions.locationRoute(reference, file, route)}
          onNavigate={() => onOpen(reference)}
        >
          <span className="uses-number">{reference.line}</span>
          <code>
            {isCut && <span className="dim">… </span>}
            <CodeText text={text} matches={matches} path={reference.path} />
          </code>
        </Link>
      )
    }
  }
}

/** The offset of the last list, which the panel of the next file restores. */
let scrolled: { readonly name: string; readonly offset: number } | undefined

const isUse = ({ _tag }: UseRows.UseRow): boolean => _tag === "Use"

const isFocusable = (row: UseRows.UseRow | undefined): boolean => row !== undefined && row._tag !== "Heading"

const isCurrent = (row: UseRows.UseRow, file: ExplorerApi.PinnedPath, line: number): boolean =>
  row._tag === "Use" && UseRows.fileOf(row.reference) === UseRows.fileOf(file) && row.reference.line === line

const rowAt = (list: Element | null, index: number): HTMLElement | null | undefined =>
  list?.querySelector<HTMLElement>(`[data-index="${index}"]`)

/** The row that a key moves the focus to. */
const target = (key: string, at: number, rows: ReadonlyArray<UseRows.UseRow>): number | undefined => {
  switch (key) {
    case "ArrowDown":
    case "j":
      return nearest(rows, at + 1, 1)
    case "ArrowUp":
    case "k":
      return nearest(rows, at - 1, -1)
    case "Home":
      return nearest(rows, 0, 1)
    case "End":
      return nearest(rows, rows.length - 1, -1)
    default:
      return undefined
  }
}

const nearest = (rows: ReadonlyArray<UseRows.UseRow>, from: number, by: 1 | -1): number | undefined => {
  for (let index = from; index >= 0 && index < rows.length; index += by) {
    if (isFocusable(rows[index])) return index
  }
  return undefined
}
