import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual"
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState
} from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { isPlainClick } from "../components/Link.tsx"
import * as expansion from "../hooks/useExpandedFolders.ts"
import { navigate } from "../hooks/useRoute.ts"
import { openFinder } from "../hooks/useTreePanel.ts"
import * as TreeRows from "../model/TreeRows.ts"
import * as Route from "../model/Route.ts"
import { TreeItem } from "./TreeItem.tsx"
import { useTypeAhead } from "./useTypeAhead.ts"

/** Rows that render beyond each edge of the tree. */
const OVERSCAN = 12

/** Maximum number of folders that load for a path of the URL. Real paths are much shorter. */
const MAX_DEPTH = 100

/** The files of a repository as a tree. Only the rows near the visible part render, and folders load when expanded. */
export const FileTree = ({
  onOpenFile,
  opensFolders,
  route
}: {
  readonly route: Route.File | Route.Tree
  /**
   * True if a click on a folder opens the view of the folder. Otherwise a click only expands or collapses the folder.
   */
  readonly opensFolders: boolean
  readonly onOpenFile: () => void
}) => {
  const { owner, path, ref, repo } = route
  const repository = `${owner}/${repo}`
  const isFolder = route._tag === "Tree"
  const expanded = expansion.useExpandedFolders(repository)
  const root = useQuery({
    ...ExplorerClient.queryOptions(ExplorerClient.tree, { owner, repo, path: "", ref }),
    placeholderData: keepPreviousData
  })
  const commit = root.data?.commit
  const paths = useMemo(() => Array.from(expanded), [expanded])
  const combine = useCallback(
    (results: ReadonlyArray<UseQueryResult<ExplorerApi.Folder>>) =>
      new Map(results.map((result, index) => [paths[index], stateOf(result)])),
    [paths]
  )
  const loaded = useQueries({
    queries: paths.map((path) => ({
      ...ExplorerClient.queryOptions(ExplorerClient.tree, { owner, repo, path, ref: commit }),
      enabled: commit !== undefined
    })),
    combine
  })
  const folder = root.data
  const rows = useMemo(
    () =>
      folder === undefined
        ? []
        : TreeRows.make((path) => (path === "" ? folder : (loaded.get(path) ?? "loading")), expanded),
    [folder, loaded, expanded]
  )
  const indexes = useMemo(() => new Map(rows.map((row, index) => [TreeRows.pathOf(row), index])), [rows])

  const [active, setActive] = useState(path)
  const activeIndex = indexes.get(active) ?? 0
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight(box.current),
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : TreeRows.pathOf(row)
    },
    initialOffset: () => expansion.treeScroll(repository),
    overscan: OVERSCAN,
    // The active row stays rendered, because assistive technology refers to this row.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      return visible.includes(activeIndex) ? visible : [...visible, activeIndex].toSorted((a, b) => a - b)
    }
  })

  // Reveals the current file once the folders have loaded. Afterwards the user may scroll the file away.
  const revealed = useRef<string>(undefined)
  useEffect(() => {
    const folders = [...TreeRows.ancestors(path), ...(isFolder && path !== "" ? [path] : [])]
    expansion.setExpanded(repository, folders.slice(0, MAX_DEPTH), true)
    setActive(path)
  }, [repository, path, isFolder])
  const currentIndex = indexes.get(path)
  const reveal = useEffectEvent((index: number) => {
    if (revealed.current === path) return
    revealed.current = path
    virtualizer.scrollToIndex(index, { align: isInView(box.current, index) ? "auto" : "center" })
  })
  useEffect(() => {
    if (currentIndex !== undefined) reveal(currentIndex)
  }, [currentIndex, path])

  const routeOf = (row: TreeRows.EntryRow): Route.File | Route.Tree =>
    row.entry.kind === "dir"
      ? Route.folder(route, row.entry.path)
      : { ...Route.folder(route, row.entry.path), _tag: "File" }
  const setFolder = (path: string, isExpanded: boolean) => expansion.setExpanded(repository, [path], isExpanded)
  const open = (row: TreeRows.EntryRow) => {
    setActive(row.entry.path)
    const isFolder = row.isExpanded !== undefined
    if (isFolder && (!opensFolders || (route._tag === "Tree" && row.entry.path === path))) {
      return setFolder(row.entry.path, !row.isExpanded)
    }
    if (isFolder) setFolder(row.entry.path, true)
    navigate(routeOf(row))
    if (!isFolder) onOpenFile()
  }
  const onClick = (row: TreeRows.TreeRow, event: MouseEvent) => {
    if (row._tag === "Note") {
      if (row.state === "failed")
        void ExplorerClient.queryClient.refetchQueries({ queryKey: [ExplorerClient.tree.path] })
      if (row.state === "cut") openFinder()
      return
    }
    if (!isPlainClick(event)) return
    event.preventDefault()
    box.current?.focus({ preventScroll: true })
    if (row.isExpanded !== undefined && event.target instanceof Element && event.target.closest(".tree-arrow")) {
      setActive(row.entry.path)
      setFolder(row.entry.path, !row.isExpanded)
    } else open(row)
  }

  const moveTo = (index: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, index))
    const row = rows[at]
    if (row === undefined) return
    setActive(TreeRows.pathOf(row))
    virtualizer.scrollToIndex(at, { align: "auto" })
  }
  const typeAhead = useTypeAhead((prefix, isNew) => {
    const index = TreeRows.indexOfName(rows, prefix, activeIndex + (isNew ? 1 : 0))
    if (index >= 0) moveTo(index)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[activeIndex]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight(box.current)) - 1)
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(activeIndex + 1),
      ArrowUp: () => moveTo(activeIndex - 1),
      PageDown: () => moveTo(activeIndex + page),
      PageUp: () => moveTo(activeIndex - page),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => {
        if (row?._tag !== "Entry" || row.isExpanded === undefined) return
        if (row.isExpanded) moveTo(activeIndex + 1)
        else setFolder(row.entry.path, true)
      },
      ArrowLeft: () => {
        if (row?._tag === "Entry" && row.isExpanded === true) return setFolder(row.entry.path, false)
        const parent = row === undefined ? undefined : TreeRows.ancestors(TreeRows.pathOf(row)).at(-1)
        if (parent !== undefined) moveTo(indexes.get(parent) ?? activeIndex)
      },
      Enter: () => row?._tag === "Entry" && open(row),
      " ": () => row?._tag === "Entry" && open(row)
    }
    const handler = keys[event.key]
    if (handler === undefined && !typeAhead(event.key)) return
    event.preventDefault()
    handler?.()
  }

  if (root.error !== null && folder === undefined) {
    // The view beside the tree shows the failure.
    if (ExplorerClient.failureOf(root.error).kind === "NotFound")
      return <p className="side-note">No such repository or version.</p>
    return (
      <p className="side-note">
        The files did not load.{" "}
        <button type="button" className="link-button" onClick={() => void root.refetch()}>
          Try again
        </button>
      </p>
    )
  }
  return (
    <div
      ref={box}
      className="file-tree"
      role="tree"
      aria-label={`Files of ${repository}`}
      aria-busy={root.isPending}
      aria-activedescendant={rows.length === 0 ? undefined : rowId(activeIndex)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => expansion.setTreeScroll(repository, currentTarget.scrollTop)}
    >
      <div role="none" className="tree-rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, size, start }) => {
          const row = rows[index]
          return (
            row !== undefined && (
              <TreeItem
                key={key}
                id={rowId(index)}
                row={row}
                href={row._tag === "Entry" ? Route.href(routeOf(row)) : undefined}
                isActive={index === activeIndex}
                isCurrent={index === currentIndex}
                top={start}
                height={size}
                onClick={(event) => onClick(row, event)}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

const stateOf = ({ data, isError }: UseQueryResult<ExplorerApi.Folder>): ReturnType<TreeRows.Folders> =>
  data ?? (isError ? "failed" : "loading")

const rowId = (index: number): string => `tree-row-${index}`

/** The height of a row in pixels, by the style sheet. */
const rowHeight = (box: Element | null): number =>
  box === null ? 28 : Number.parseFloat(getComputedStyle(box).getPropertyValue("--tree-row")) || 28

const isInView = (box: HTMLElement | null, index: number): boolean => {
  if (box === null) return false
  const top = index * rowHeight(box)
  return top >= box.scrollTop && top + rowHeight(box) <= box.scrollTop + box.clientHeight
}
