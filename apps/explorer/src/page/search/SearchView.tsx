/** What a search found, and what to do with it: narrow it, order it, keep it, take it along. */
import { useEffect, useEffectEvent, useMemo, useState } from "react"
import type * as Wire from "../../Wire.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { isIndexing, useIndexStatus } from "../api/useIndexStatus.ts"
import { historyState, updateHistoryState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { Facets } from "./Facets.tsx"
import * as SearchResults from "./SearchResults.ts"
import { addRecentSearch } from "../hooks/useSearchHistory.ts"
import * as QueryLanguage from "./QueryLanguage.ts"
import { EmptyResults } from "./EmptyResults.tsx"
import { ResultList } from "./ResultList.tsx"
import { ResultSummary } from "./ResultSummary.tsx"
import { useIndexSearch, usePagedSearch } from "./useSearch.ts"

/** Milliseconds that somebody looks at the results of a search before it is remembered. */
const LOOKED = 2_000

export const SearchView = ({
  connection,
  view
}: {
  readonly view: Route.Search
  readonly connection: Wire.Connection
}) => {
  const { kind, q } = view
  const hasIndex = connection.capabilities.index
  const isGood = QueryLanguage.canRun(q, hasIndex)
  const [state, setState] = useState({ q, pages: historyState().pages ?? 1 })
  const pages = state.q === q ? state.pages : (historyState().pages ?? 1)
  const setPages = (pages: number) => {
    setState({ q, pages })
    updateHistoryState({ pages })
  }
  const fromIndex = useIndexSearch(hasIndex && isGood ? q : undefined, pages, setPages)
  const fromPages = usePagedSearch(!hasIndex && isGood ? q : undefined, pages, setPages)
  const running = hasIndex ? fromIndex : fromPages
  const { failure, isSlow, isStale, results, retry } = running

  const files = useMemo(
    () =>
      kind === undefined
        ? results?.files
        : results?.files.filter((found) => SearchResults.kinds(found).some((one) => one === kind)),
    [results, kind]
  )
  const facets = useMemo(
    () => (results === undefined ? undefined : (results.facets ?? SearchResults.facets(results.files))),
    [results]
  )

  // Once the index is whole, so is the answer.
  const isPartial = results?.incomplete.includes("indexing") === true
  const isWhole = useIndexStatus(hasIndex && isPartial)?.some(isIndexing) === false
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (isPartial && isWhole) again()
  }, [isPartial, isWhole])

  const isAnswered = results?.isDone === true && !isStale
  useEffect(() => {
    if (!isAnswered) return
    const timer = setTimeout(() => addRecentSearch(q), LOOKED)
    return () => clearTimeout(timer)
  }, [q, isAnswered])

  if (!isGood) return <NotAQuery q={q} hasIndex={hasIndex} />
  if (failure !== undefined && (results === undefined || isStale)) {
    return (
      <>
        <h1 className="unseen">Search</h1>
        <FailureNotice failure={failure} retry={retry} />
      </>
    )
  }
  if (results === undefined || files === undefined || facets === undefined) {
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
        <ResultSummary
          view={view}
          connection={connection}
          outcome={results}
          files={files}
          facets={facets}
          isSlow={isSlow}
          isStale={isStale}
        />
        {files.length === 0 && results.isDone ? (
          <EmptyResults view={view} hasIndex={hasIndex} />
        ) : (
          <ResultList
            key={`${running.query} ${kind}`}
            files={files}
            view={view}
            running={running}
            hasIndex={hasIndex}
          />
        )}
        {failure !== undefined && <FailureNotice failure={failure} retry={retry} />}
      </div>
    </div>
  )
}

const NotAQuery = ({ hasIndex, q }: { readonly q: string; readonly hasIndex: boolean }) => (
  <>
    <h1 className="unseen">Search</h1>
    <Notice title="This is no query yet">
      <ul>
        {QueryLanguage.problems(q, hasIndex).map(({ message, start }) => (
          <li key={`${start} ${message}`}>{message}</li>
        ))}
      </ul>
      <p className="dim">Nothing was sent. The box above shows where.</p>
    </Notice>
  </>
)
