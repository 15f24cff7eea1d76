import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { isPlainClick } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import * as FinderQuery from "../model/FinderQuery.ts"
import * as Route from "../model/Route.ts"
import { navigate } from "../hooks/useRoute.ts"

/** Maximum number of files listed. More letters find the rest. */
const MAX_LISTED = 60

/** A box that finds files of the commit by parts of the path. `children` shows without a query. */
export const FileFinder = ({
  children,
  input,
  onLeave,
  onOpenFile,
  route
}: {
  readonly route: Route.File | Route.Tree
  readonly input: RefObject<HTMLInputElement | null>
  /** Called for Escape in an empty box. */
  readonly onLeave: () => void
  readonly onOpenFile: () => void
  readonly children: React.ReactNode
}) => {
  const { owner, ref, repo } = route
  const [text, setText] = useState("")
  const [active, setActive] = useState(0)
  // True after Enter before the files were loaded: loading then opens the first file.
  const [opensFirst, setOpensFirst] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const { lines, q } = FinderQuery.parse(text)
  const { data, error, isPlaceholderData } = useQuery({
    ...ExplorerClient.queryOptions(ExplorerClient.filePaths, { owner, repo, q, ref, per_page: MAX_LISTED }),
    enabled: q !== "",
    placeholderData: keepPreviousData
  })
  const items = q === "" ? [] : (data?.items ?? [])
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [active, items])

  const routeOf = (path: string): Route.File => {
    const { q: _query, ...target } = Route.folder(route, path)
    return { ...target, _tag: "File", ...(lines === undefined ? {} : { lines }) }
  }
  const open = (path: string) => {
    setText("")
    setOpensFirst(false)
    input.current?.blur()
    navigate(routeOf(path))
    onOpenFile()
  }
  const isLoaded = data !== undefined && !isPlaceholderData
  useEffect(() => {
    if (!opensFirst || (!isLoaded && error === null)) return
    setOpensFirst(false)
    const [first] = items
    if (isLoaded && first !== undefined) open(first.path)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const last = items.length - 1
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => setActive(Math.min(last, active + 1)),
      ArrowUp: () => setActive(Math.max(0, active - 1)),
      Enter: () => {
        const item = items[active]
        if (!isLoaded) setOpensFirst(q !== "")
        else if (item !== undefined) open(item.path)
      },
      Escape: () => {
        if (text === "") onLeave()
        setText("")
        setOpensFirst(false)
      }
    }
    const handler = keys[event.key]
    if (handler === undefined) return
    event.preventDefault()
    event.stopPropagation()
    handler()
  }
  return (
    <>
      <input
        ref={input}
        type="text"
        role="combobox"
        className="filter finder"
        placeholder="Go to file"
        aria-label="Go to file"
        aria-keyshortcuts="t"
        aria-autocomplete="list"
        aria-expanded={q !== ""}
        aria-controls={q === "" ? undefined : "found-files"}
        aria-activedescendant={items.length === 0 ? undefined : `found-file-${active}`}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
          setOpensFirst(false)
        }}
        onKeyDown={onKeyDown}
      />
      {q === "" ? (
        children
      ) : (
        <>
          <p className="side-note" role="status">
            {error !== null
              ? displayText(ExplorerClient.failureOf(error).message)
              : data === undefined
                ? "Searching…"
                : data.total_count === 0
                  ? "No files match."
                  : `${NumberFormat.quantity(data.total_count, "file")}${data.incomplete_results ? " and more" : ""}`}
          </p>
          <div ref={list} id="found-files" className="found-files" role="listbox" aria-label="Files">
            {items.map(({ matches, path }, index) => (
              <a
                key={path}
                id={`found-file-${index}`}
                role="option"
                aria-selected={index === active}
                href={Route.href(routeOf(path))}
                tabIndex={-1}
                onClick={(event) => {
                  if (!isPlainClick(event)) return
                  event.preventDefault()
                  open(path)
                }}
              >
                <HighlightedText text={path} matches={matches} />
              </a>
            ))}
          </div>
        </>
      )}
    </>
  )
}
