/** What a search found, and what to do with it: narrow it, order it, keep it, take it along. */
import { useEffect, useEffectEvent, useMemo, useState } from "react"
import type * as Wire from "../../Wire.ts"
import { FailureNote } from "../FailureNote.tsx"
import { Notice } from "../Notice.tsx"
import { Skeleton } from "../Skeleton.tsx"
import { isBusy, useIndex } from "../useIndex.ts"
import { memory, remember } from "../useView.ts"
import type * as View from "../View.ts"
import { Facets } from "./Facets.tsx"
import * as Found from "./Found.ts"
import { visit } from "./History.ts"
import * as Language from "./Language.ts"
import { Nothing } from "./Nothing.tsx"
import { ResultList } from "./ResultList.tsx"
import { Summary } from "./Summary.tsx"
import { useIndexSearch, usePagedSearch } from "./useSearch.ts"

/** Milliseconds that somebody looks at the results of a search before it is remembered. */
const LOOKED = 2_000

export const Results = ({ connection, view }: { readonly view: View.Search; readonly connection: Wire.Connection }) => {
  const { kind, q } = view
  const hasIndex = connection.capabilities.index
  const isGood = Language.canRun(q, hasIndex)
  const [state, setState] = useState({ q, pages: memory().pages ?? 1 })
  const pages = state.q === q ? state.pages : (memory().pages ?? 1)
  const setPages = (pages: number) => {
    setState({ q, pages })
    remember({ pages })
  }
  const fromIndex = useIndexSearch(hasIndex && isGood ? q : undefined, pages, setPages)
  const fromPages = usePagedSearch(!hasIndex && isGood ? q : undefined, pages, setPages)
  const running = hasIndex ? fromIndex : fromPages
  const { failure, isSlow, isStale, outcome, retry } = running

  const files = useMemo(
    () =>
      kind === undefined
        ? outcome?.files
        : outcome?.files.filter((found) => Found.kinds(found).some((one) => one === kind)),
    [outcome, kind]
  )
  const facets = useMemo(
    () => (outcome === undefined ? undefined : (outcome.facets ?? Found.facets(outcome.files))),
    [outcome]
  )

  // Once the index is whole, so is the answer.
  const isPartial = outcome?.incomplete.includes("indexing") === true
  const isWhole = useIndex(hasIndex && isPartial)?.some(isBusy) === false
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (isPartial && isWhole) again()
  }, [isPartial, isWhole])

  const isAnswered = outcome?.isDone === true && !isStale
  useEffect(() => {
    if (!isAnswered) return
    const timer = setTimeout(() => visit(q), LOOKED)
    return () => clearTimeout(timer)
  }, [q, isAnswered])

  if (!isGood) return <NotAQuery q={q} hasIndex={hasIndex} />
  if (failure !== undefined && (outcome === undefined || isStale)) {
    return (
      <>
        <h1 className="unseen">Search</h1>
        <FailureNote failure={failure} retry={retry} />
      </>
    )
  }
  if (outcome === undefined || files === undefined || facets === undefined) {
    return (
      <div className="finding">
        <h1 className="unseen">Search</h1>
        <Skeleton rows={6} slow={isSlow} what="Searching" />
      </div>
    )
  }
  return (
    <div className="results" aria-busy={isStale}>
      <Facets view={view} facets={facets} isPartial={!hasIndex} />
      <div className="found">
        <Summary
          view={view}
          connection={connection}
          outcome={outcome}
          files={files}
          facets={facets}
          isSlow={isSlow}
          isStale={isStale}
        />
        {files.length === 0 && outcome.isDone ? (
          <Nothing view={view} hasIndex={hasIndex} />
        ) : (
          <ResultList key={`${running.of} ${kind}`} files={files} view={view} running={running} hasIndex={hasIndex} />
        )}
        {failure !== undefined && <FailureNote failure={failure} retry={retry} />}
      </div>
    </div>
  )
}

const NotAQuery = ({ hasIndex, q }: { readonly q: string; readonly hasIndex: boolean }) => (
  <>
    <h1 className="unseen">Search</h1>
    <Notice title="This is no query yet">
      <ul>
        {Language.problems(q, hasIndex).map(({ message, start }) => (
          <li key={`${start} ${message}`}>{message}</li>
        ))}
      </ul>
      <p className="dim">Nothing was sent. The box above shows where.</p>
    </Notice>
  </>
)
