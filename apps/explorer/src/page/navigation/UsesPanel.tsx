import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import type { Reference } from "@tongs/core/contract/groups/CodeNavigation"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { isTyping, useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { displayText } from "../model/displayText.ts"
import * as Route from "../model/Route.ts"
import * as References from "./References.ts"
import { type UsePlace, UseList, type UseListHandle } from "./UseList.tsx"
import * as UseRows from "./UseRows.ts"

interface Props {
  readonly file: ExplorerApi.PinnedPath
  readonly route: Route.File
  readonly uses: Route.Uses
  /** The line of the caret, from 1. */
  readonly line: number
  /** Whether to focus the list: when the user opened the panel, not when the URL did. */
  readonly autoFocus: boolean
  /** `isStep` is true if the next step replaces this one in the history. */
  readonly onOpen: (place: UsePlace, isStep: boolean) => void
  readonly onClose: () => void
}

/** A panel with the definitions and all uses of a name by file. */
export const UsesPanel = ({ autoFocus, file, line, onClose, onOpen, route, uses }: Props) => {
  const name = Route.usesText(uses)
  const list = useRef<UseListHandle>(null)
  const [filter, setFilter] = useState(() => (kept?.name === name ? kept.filter : ""))
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() =>
    kept?.name === name ? kept.collapsed : new Set()
  )
  const definitions = useQuery(References.definitionsOptions(file, uses))
  const references = useInfiniteQuery(References.pagesOptions(file, uses))
  const { data, fetchNextPage, hasNextPage, isFetchNextPageError, isFetchingNextPage } = references
  const isSlow = ExplorerClient.useIsSlow(references.isPending)

  const all = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const rows = useMemo(
    () => UseRows.make(defined(definitions.data?.items ?? []), all, { filter, collapsed, repository: file }),
    [definitions.data, all, filter, collapsed, file]
  )
  useEffect(() => {
    kept = { name, filter, collapsed }
  }, [name, filter, collapsed])
  // A filter needs all pages, because only loaded pages can be filtered.
  useEffect(() => {
    if (filter.trim() !== "" && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage(once)
  }, [filter, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

  const step = (by: 1 | -1) => {
    const next = UseRows.next(rows, { ...file, line }, by)
    if (next !== undefined) onOpen(next, true)
  }
  useKeyboardShortcuts({ F4: ({ shiftKey }) => step(shiftKey ? -1 : 1) })

  const loadMore = () => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage(once)
  }
  const title = `Uses of ${displayText(uses.name)}`

  return (
    <section
      className="uses-panel"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        if (filter !== "" && isTyping()) setFilter("")
        else onClose()
      }}
    >
      <header>
        <h2>
          Uses of <code>{displayText(uses.name)}</code>
        </h2>
        <p className="dim" role="status">
          {data === undefined
            ? references.isPending
              ? isSlow
                ? "Searching takes longer than usual…"
                : "Searching…"
              : ""
            : summary(data.pages.at(-1), all, isFetchingNextPage)}
        </p>
        <input
          type="text"
          className="filter"
          placeholder="Filter by path"
          aria-label="Filter uses by path"
          spellCheck={false}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown" && event.key !== "Enter") return
            event.preventDefault()
            list.current?.focus()
          }}
        />
        <div className="uses-buttons">
          <button type="button" aria-label="Previous use" title="Previous use (Shift+F4)" onClick={() => step(-1)}>
            <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M4 9.5 8 5.5 12 9.5" />
            </svg>
          </button>
          <button type="button" aria-label="Next use" title="Next use (F4)" onClick={() => step(1)}>
            <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M4 6.5 8 10.5 12 6.5" />
            </svg>
          </button>
          <button type="button" aria-label="Close" title="Close (Escape)" onClick={onClose}>
            <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M4 4l8 8M12 4l-8 8" />
            </svg>
          </button>
        </div>
      </header>
      {references.isError && data === undefined ? (
        <FailureNotice failure={ExplorerClient.failureOf(references.error)} retry={() => void references.refetch()} />
      ) : (
        <UseList
          // A new list starts at the top.
          key={name}
          name={name}
          rows={rows}
          file={file}
          route={route}
          line={line}
          autoFocus={autoFocus}
          list={list}
          onOpen={(place) => onOpen(place, false)}
          onToggle={(toggled) =>
            setCollapsed((collapsed) => {
              const next = new Set(collapsed)
              if (!next.delete(toggled)) next.add(toggled)
              return next
            })
          }
          onEnd={loadMore}
        />
      )}
      {isFetchNextPageError && (
        <p className="uses-note" role="alert">
          {displayText(ExplorerClient.failureOf(references.error).message)}{" "}
          <button type="button" className="link-button" onClick={() => void fetchNextPage(once)}>
            Try again
          </button>
        </p>
      )}
      {data !== undefined && !rows.some(({ _tag }) => _tag === "Use" || _tag === "File") && !hasNextPage && (
        <p className="uses-note">
          {filter.trim() === "" ? "No uses in this repository." : "No uses in paths that contain the filter."}
        </p>
      )}
    </section>
  )
}

/** The options of the last list, which the panel of the next file restores. */
let kept: { readonly name: string; readonly filter: string; readonly collapsed: ReadonlySet<string> } | undefined

/** Keeps a request that is under way, instead of a second one. */
const once = { cancelRefetch: false }

/** The certain definitions, or all definitions if none is certain. */
const defined = <A extends { readonly certain?: boolean }>(definitions: ReadonlyArray<A>): ReadonlyArray<A> => {
  const certain = definitions.filter(({ certain }) => certain === true)
  return certain.length > 0 ? certain : definitions
}

const summary = (
  last: { readonly total_count: number; readonly incomplete_results: boolean } | undefined,
  loaded: ReadonlyArray<Reference>,
  isLoading: boolean
): string => {
  if (last === undefined) return ""
  const { incomplete_results: isIncomplete, total_count: total } = last
  const count = NumberFormat.quantity(total, "use")
  if (isIncomplete) return `At least ${count}. The search ran out of time, or indexing is not complete.`
  if (loaded.length < total) return `${count}, ${NumberFormat.format(loaded.length)} loaded${isLoading ? "…" : ""}`
  return total === 0 ? "" : `${count} in ${NumberFormat.quantity(new Set(loaded.map(UseRows.fileOf)).size, "file")}`
}
