import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import type { EntryChange } from "@tongs/core/contract/groups/History"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { StatusMark } from "../components/StatusMark.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useScrollRestoration } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import { Age } from "./Age.tsx"
import { Icon, type IconName } from "./Icon.tsx"

/** The height of a row in rem. A row with a long name is higher. */
const ROW = 2.1875

/** The count of rows that render beyond each edge of the window. */
const OVERSCAN = 12

/** Maximum number of entries that render completely, so that the browser finds and prints all entries. */
const MAX_COMPLETE = 100

/** The measured heights of the last list, by name, so that going back restores the scroll offset exactly. */
const measured = new Map<string, Array<VirtualItem>>()

/** The entries of a folder as a virtual list: only rows near the window render. */
export const EntryList = ({
  commits,
  entries,
  now,
  route
}: {
  readonly route: Route.Tree
  readonly entries: ReadonlyArray<ExplorerApi.FolderEntry>
  /** The last commits of the entries by path. Undefined on a forge without this list. */
  readonly commits: ReadonlyMap<string, EntryChange> | undefined
  readonly now: number
}) => {
  const { owner, path, repo } = route
  const parent = Route.parent(route)
  const rows = useMemo(() => [...(parent === undefined ? [] : [up]), ...entries], [entries, parent === undefined])
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((list.current?.getBoundingClientRect().top ?? 0) + scrollY), [])
  const [active, setActive] = useState<number>()
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  // Whole pixels, as the list measures, so that a restored offset shows the same rows.
  const height = Math.round(ROW * rem)
  const name = Route.href(route)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.name ?? index,
    overscan: rows.length <= MAX_COMPLETE ? rows.length : OVERSCAN,
    initialMeasurementsCache: measured.get(name) ?? [],
    scrollMargin: top,
    // The height that the header and the folder's path cover.
    scrollPaddingStart: 8 * rem,
    scrollPaddingEnd: 2 * rem,
    initialRect: { width: innerWidth, height: innerHeight },
    // The focused row stays rendered wherever the user scrolls.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      return active === undefined || active >= rows.length || visible.includes(active)
        ? visible
        : [...visible, active].toSorted((a, b) => a - b)
    }
  })
  useEffect(
    () => () => {
      measured.clear()
      measured.set(name, virtualizer.takeSnapshot())
    },
    [virtualizer, name]
  )
  useScrollRestoration(name, true)
  const step = (by: 1 | -1) => () => {
    const index = active === undefined ? 0 : Math.max(0, Math.min(rows.length - 1, active + by))
    setActive(index)
    virtualizer.scrollToIndex(index, { align: "auto" })
  }
  useEffect(() => {
    if (active === undefined) return
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${active}"] > .entry`)
    row?.focus({ preventScroll: true })
  }, [active])
  useKeyboardShortcuts({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })
  return (
    <ul
      className="entries"
      ref={list}
      aria-label={path === "" ? `${owner}/${repo}` : path}
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={({ target }) => setActive(indexOf(target))}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const entry = rows[index]
        return (
          entry !== undefined && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              style={{ minHeight: height, transform: `translateY(${start - top}px)` }}
            >
              {entry === up ? (
                parent !== undefined && (
                  <Link to={parent} className="entry" data-kind="up" aria-label="Parent folder">
                    <Icon name="folder" />
                    ..
                  </Link>
                )
              ) : (
                <Entry
                  entry={entry}
                  route={route}
                  change={commits?.get(entry.path)}
                  hasCommits={commits !== undefined}
                  now={now}
                />
              )}
            </li>
          )
        )
      })}
    </ul>
  )
}

/** The row of the parent folder. No entry has this name. */
const up: ExplorerApi.FolderEntry = { name: "..", path: "..", kind: "dir", size: 0 }

const indexOf = (element: Element): number | undefined => {
  const index = Number(element.closest<HTMLElement>("[data-index]")?.dataset["index"])
  return Number.isNaN(index) ? undefined : index
}

const Entry = ({
  change,
  entry,
  hasCommits,
  now,
  route
}: {
  readonly entry: ExplorerApi.FolderEntry
  readonly route: Route.Tree
  readonly change: EntryChange | undefined
  readonly hasCommits: boolean
  readonly now: number
}) => (
  <>
    <Link to={routeOf(route, entry)} className="entry" data-kind={entry.kind}>
      <Icon name={icons[entry.kind]} />
      <span>{displayText(entry.name)}</span>
      <StatusMark status={entry.status} />
    </Link>
    {hasCommits && (
      <span className="entry-commit">
        {change !== undefined && (
          <Link
            to={{ _tag: "Commit", owner: route.owner, repo: route.repo, ref: change.commit }}
            title={`${displayText(change.summary)}\n${displayText(change.author)}, ${AbbreviatedId.of(change.commit)}`}
          >
            {displayText(change.summary)}
          </Link>
        )}
      </span>
    )}
    {hasCommits && change !== undefined ? (
      <Age date={String(change.date)} now={now} />
    ) : (
      <span className="dim">{entry.kind === "file" ? NumberFormat.bytes(entry.size) : names[entry.kind]}</span>
    )}
  </>
)

const routeOf = (route: Route.Tree, { kind, path }: ExplorerApi.FolderEntry): Route.File | Route.Tree =>
  kind === "dir" ? { ...route, path } : { ...route, _tag: "File", path }

const names: Readonly<Record<ExplorerApi.FolderEntry["kind"], string>> = {
  dir: "",
  file: "",
  symlink: "symbolic link",
  submodule: "submodule"
}

const icons: Readonly<Record<ExplorerApi.FolderEntry["kind"], IconName>> = {
  dir: "folder",
  file: "file",
  symlink: "symlink",
  submodule: "submodule"
}
