import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react"
import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { historyState, navigate, updateHistoryState } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import * as RepositoryFilter from "./RepositoryFilter.ts"

/** The estimated height of a row before rendering, in rem. */
const ROW = 2.5

/** Many repositories as a compact list with a filter. Only rows near the window render. */
export const RepositoryTable = ({
  here,
  hues,
  index,
  repositories
}: {
  readonly repositories: ReadonlyArray<ExplorerApi.Repository>
  readonly index: ReadonlyArray<IndexedRepository> | undefined
  readonly here: ExplorerApi.RepositoryName | null
  readonly hues: ReadonlyMap<string, number>
}) => {
  const now = useNow(false)
  const [filter, setFilter] = useState(() => historyState().filter ?? "")
  const [order, setOrder] = useState<RepositoryFilter.Order>(() => orderOf(historyState().order))
  const all = useMemo(() => RepositoryFilter.rows(repositories, index ?? []), [repositories, index])
  const rows = useMemo(() => RepositoryFilter.select(all, filter, order), [all, filter, order])
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((list.current?.getBoundingClientRect().top ?? 0) + scrollY), [])
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize), [])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW * rem,
    getItemKey: (at) => RepositoryFilter.nameOf(rows[at]?.repository ?? { owner: "", repo: String(at) }),
    overscan: 10,
    scrollMargin: top
  })
  useKeyboardShortcuts({
    f: () => {
      input.current?.focus()
      input.current?.select()
    }
  })
  const change = (filter: string) => {
    setFilter(filter)
    updateHistoryState({ filter })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const first = rows[0]?.repository
    if (event.key === "Escape" && filter !== "") change("")
    else if (event.key === "Escape") input.current?.blur()
    else if (event.key === "ArrowDown") moveFocus(list.current, 1, "[data-card]")
    else if (event.key === "Enter" && first !== undefined) navigate(routeOf(first))
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="repository-tools">
        <input
          ref={input}
          type="text"
          value={filter}
          onChange={({ target }) => change(target.value)}
          onKeyDown={onKeyDown}
          placeholder="Filter the repositories"
          aria-label="Filter the repositories"
          aria-keyshortcuts="f"
          autoComplete="off"
          spellCheck={false}
        />
        <span className="dim" role="status">
          {rows.length === all.length
            ? NumberFormat.quantity(all.length, "repository", "repositories")
            : `${NumberFormat.format(rows.length)} of ${NumberFormat.format(all.length)}`}
        </span>
        <select
          aria-label="Sort the repositories"
          value={order}
          onChange={({ target }) => {
            setOrder(orderOf(target.value))
            updateHistoryState({ order: target.value })
          }}
        >
          {RepositoryFilter.orders.map(({ order, title }) => (
            <option key={order} value={order}>
              {title}
            </option>
          ))}
        </select>
      </div>
      {rows.length === 0 && <p className="dim">No repository matches the filter.</p>}
      <ul ref={list} className="repository-list" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index: at, key, start }) => {
          const row = rows[at]
          if (row === undefined) return null
          const { changed, indexed, language, repository } = row
          const { archived, description, owner, private: isPrivate, repo } = repository
          const isHere = here?.owner === owner && here.repo === repo
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={at}
              className="repository-row"
              aria-posinset={at + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <span className="repository-name">
                <Link to={routeOf(repository)} data-card="">
                  <span className="dim">{displayText(owner)}/</span>
                  {displayText(repo)}
                </Link>
                {isHere && <span className="tag accent">current</span>}
                {isPrivate && <span className="tag">private</span>}
                {archived && <span className="tag">archived</span>}
                {indexed?.state === "failed" && <span className="tag warn">indexing failed</span>}
              </span>
              <span
                className="repository-description dim"
                title={description === null ? undefined : displayText(description)}
              >
                {description !== null && displayText(description)}
              </span>
              <span className="repository-language languages">
                {language !== null && (
                  <>
                    <i data-hue={hues.get(language) ?? "other"} /> {displayText(language)}
                  </>
                )}
              </span>
              <span className="dim">
                {changed !== null && (
                  <time dateTime={changed} title={changed}>
                    {RelativeTime.format(Date.parse(changed), now)}
                  </time>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

const routeOf = ({ owner, repo }: ExplorerApi.RepositoryName) => ({ _tag: "Tree", owner, repo, path: "" }) as const // the tag must stay a literal

const orderOf = (name: string | undefined): RepositoryFilter.Order =>
  RepositoryFilter.orders.find(({ order }) => order === name)?.order ?? "pushed"
