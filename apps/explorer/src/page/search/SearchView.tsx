import { useEffect, useEffectEvent, useMemo, useState } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { Notice } from "../components/Notice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { isIndexing, useIndexStatus } from "../api/useIndexStatus.ts"
import { historyState, updateHistoryState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import { Facets } from "./Facets.tsx"
import * as SearchResults from "./SearchResults.ts"
import { addRecentSearch } from "../hooks/useSearchHistory.ts"
import * as QueryLanguage from "./QueryLanguage.ts"
import { CommitList, LoadOlderButton } from "./CommitList.tsx"
import { EmptyResults } from "./EmptyResults.tsx"
import { ResultList } from "./ResultList.tsx"
import { ResultSummary } from "./ResultSummary.tsx"
import { useIndexSearch, usePagedSearch } from "./useSearch.ts"

/** Milliseconds on the results of a search before the query becomes a recent search. */
const RECENT_DELAY = 2_000

/** The results of a search with their facets and summary. */
export const SearchView = ({
  connection,
  route
}: {
  readonly route: Route.Search
  readonly connection: ExplorerApi.Connection
}) => {
  const { q } = route
  const hasIndex = connection.capabilities.index
  const isValid = QueryLanguage.canRun(q, hasIndex)
  const [state, setState] = useState({ q, pages: historyState().pages ?? 1 })
  const pages = state.q === q ? state.pages : (historyState().pages ?? 1)
  const setPages = (pages: number) => {
    setState({ q, pages })
    updateHistoryState({ pages })
  }
  const indexSearch = useIndexSearch(hasIndex && isValid ? q : undefined, pages, setPages, connection.workTrees)
  const pagedSearch = usePagedSearch(!hasIndex && isValid ? q : undefined, pages, setPages)
  const search = hasIndex ? indexSearch : pagedSearch
  const { failure, isSlow, isStale, results, retry } = search

  const facets = useMemo(() => (results === undefined ? undefined : SearchResults.facetsOf(results)), [results])
  const resultKind = useMemo(() => QueryLanguage.kindOf(search.query ?? q, hasIndex), [search.query, q, hasIndex])

  // Searches again once indexing has finished.
  const isPartial = results?.incomplete.includes("indexing") === true
  const isIndexed = useIndexStatus(hasIndex && isPartial)?.some(isIndexing) === false
  const onIndexed = useEffectEvent(retry)
  useEffect(() => {
    if (isPartial && isIndexed) onIndexed()
  }, [isPartial, isIndexed])

  const isDone = results?.isDone === true && !isStale
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => addRecentSearch(q), RECENT_DELAY)
    return () => clearTimeout(timer)
  }, [q, isDone])

  if (!isValid) return <InvalidQuery route={route} hasIndex={hasIndex} />
  if (failure !== undefined && (results === undefined || isStale)) {
    return (
      <>
        <h1 className="visually-hidden">Search</h1>
        <FailureNotice failure={failure} retry={retry} />
      </>
    )
  }
  if (results === undefined || facets === undefined) {
    return (
      <div className="search-loading">
        <h1 className="visually-hidden">Search</h1>
        <Skeleton rows={6} isSlow={isSlow} activity="Searching" />
      </div>
    )
  }
  return (
    <div className="results" aria-busy={isStale}>
      <Facets route={route} facets={facets.counts} isComplete={facets.isComplete} kind={resultKind} />
      <div className="results-main">
        <ResultSummary
          route={route}
          connection={connection}
          results={results}
          facets={facets.counts}
          isCounted={facets.isComplete}
          kind={resultKind}
          isSlow={isSlow}
          isStale={isStale}
          canLoadMore={search.loadMore !== undefined}
        />
        {results.commits !== undefined ? (
          <CommitList commits={results.commits} search={search} />
        ) : results.files.length === 0 && results.isDone ? (
          <>
            <EmptyResults route={route} hasIndex={hasIndex} kind={resultKind} />
            {resultKind !== "file" && <LoadOlderButton search={search} />}
          </>
        ) : (
          <ResultList key={search.query} files={results.files} route={route} search={search} hasIndex={hasIndex} />
        )}
        {failure !== undefined && <FailureNotice failure={failure} retry={retry} />}
      </div>
    </div>
  )
}

const InvalidQuery = ({ hasIndex, route }: { readonly route: Route.Search; readonly hasIndex: boolean }) => {
  const { q } = route
  const corrected = QueryLanguage.correction(q, hasIndex)
  return (
    <>
      <h1 className="visually-hidden">Search</h1>
      <Notice title="Invalid query">
        {QueryLanguage.problems(q, hasIndex).map(({ length, message, start }) => (
          <p key={`${start} ${message}`}>
            {length > 0 && length < q.length && (
              <>
                <code className="invalid">{displayText(q.slice(start, start + length))}</code>{" "}
              </>
            )}
            {message}
          </p>
        ))}
        {corrected !== undefined && (
          <p className="alternatives">
            <Link to={{ ...route, q: corrected }}>
              Search for <code>{displayText(corrected)}</code>
            </Link>
          </p>
        )}
        <p className="dim">Nothing was searched.</p>
      </Notice>
    </>
  )
}
