/** Runs a search: as a stream with an index, otherwise page by page. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as QueryLanguage from "./QueryLanguage.ts"
import * as SearchResults from "./SearchResults.ts"
import { collectResults } from "./SearchStream.ts"

export interface SearchState {
  /** The results so far. While `isStale`, these results belong to the previous query. */
  readonly results: SearchResults.SearchResults | undefined
  /** The query of the results. */
  readonly query: string | undefined
  readonly isStale: boolean
  /** Whether the first results are late. */
  readonly isSlow: boolean
  readonly failure: ExplorerApi.Failure | undefined
  readonly retry: () => void
  /** Undefined without further results. */
  readonly loadMore: (() => void) | undefined
  readonly isLoadingMore: boolean
}

/** Files per index search at first, and after "More results". Commits per search, and at most. */
const FIRST_LIMIT = 200
const MAX_LIMIT = 1_000

/** Milliseconds before results of the index are stale. */
const STALE_TIME = 10_000

/** Milliseconds between two updates from a stream. */
const UPDATE_INTERVAL = 60

const NOTE = "Only commits were searched. Add repo: to search uncommitted files of some repositories."

/** Marks the results of a search that leaves out existing work trees. */
const atCommits = (results: SearchResults.SearchResults): SearchResults.SearchResults => ({
  ...results,
  files: results.files.map((file) => ({ ...file, isAtCommit: true })),
  notes: [...(results.notes ?? []), NOTE]
})

interface IndexResults {
  readonly q: string | undefined
  readonly results: SearchResults.SearchResults
}

const searchKey = (q: string | undefined, limit: number, page: number) => ["api/tongs/search", q, limit, page] as const // the key of a query

/** Searches the index, unless `q` is undefined. `workTrees` is the number of work trees that the explorer shows. */
export const useIndexSearch = (
  q: string | undefined,
  pages: number,
  setPages: (pages: number) => void,
  workTrees: number
): SearchState => {
  // More pages of files are a search with a larger limit, more pages of commits continue with older commits.
  const isFileSearch = q === undefined || QueryLanguage.kindOf(q, true) === "file"
  const limit = pages > 1 && isFileSearch ? MAX_LIMIT : FIRST_LIMIT
  const page = isFileSearch ? 1 : pages
  const source = q === undefined ? undefined : QueryLanguage.sourceOf(q, workTrees)
  const marked = (results: SearchResults.SearchResults) =>
    source === "too_many_work_trees" ? atCommits(results) : results
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: searchKey(q, limit, page),
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
    // Cached results show at once and load again, because the index may have changed.
    staleTime: STALE_TIME,
    queryFn: async ({ client, queryKey, signal }) => {
      const isRefetch = client.getQueryData(queryKey) !== undefined
      const search = async (cursor: string | undefined, onProgress: (results: SearchResults.SearchResults) => void) => {
        const { body } = await ExplorerClient.send(
          ExplorerClient.url("api/tongs/search", {
            q,
            limit,
            facets: "all",
            ...(source === "work_trees" ? { source } : {}),
            ...(cursor === undefined ? {} : { cursor })
          }),
          signal
        )
        return body === null ? SearchResults.empty : collectResults(body, UPDATE_INTERVAL, onProgress)
      }
      const show = (results: SearchResults.SearchResults) => {
        // Partial results must not replace complete results, nor the results of a cancelled query.
        const isEmpty = results.files.length === 0 && results.commits === undefined
        if (!signal.aborted && !isRefetch && !isEmpty) client.setQueryData(queryKey, { q, results: marked(results) })
      }
      // Continues after the pages that are loaded.
      const loaded = page > 1 ? client.getQueryData<IndexResults>(searchKey(q, limit, page - 1)) : undefined
      let results = loaded?.results ?? (await search(undefined, show))
      for (let next = loaded === undefined ? 2 : page; next <= page && results.cursor !== undefined; next++) {
        const newer = results
        const older = await search(newer.cursor, (part) => show(SearchResults.withOlder(newer, part)))
        results = SearchResults.withOlder(newer, older)
      }
      return { q, results: marked(results) }
    }
  })
  const isStale = data !== undefined && data.q !== q
  const { commits = [], cursor, incomplete = [], isDone } = data?.results ?? {}
  const hasMore = isFileSearch
    ? incomplete.includes("limit") && limit < MAX_LIMIT
    : cursor !== undefined && commits.length < MAX_LIMIT
  const isLoadingMore = isFetching && pages > 1 && !isStale && (isPlaceholderData || isDone === false)
  return {
    results: data?.results,
    query: data?.q,
    isStale,
    isSlow: ExplorerClient.useIsSlow(isFetching && (data === undefined || isStale)),
    failure: error === null ? undefined : ExplorerClient.failureOf(error),
    retry: () => void refetch(),
    loadMore: (hasMore && !isStale) || isLoadingMore ? () => setPages(isFileSearch ? 2 : page + 1) : undefined,
    isLoadingMore
  }
}

/** Searches with the contract, unless `q` is undefined. Loads further pages up to `pages`. */
export const usePagedSearch = (
  q: string | undefined,
  pages: number,
  setPages: (pages: number) => void
): SearchState => {
  const { data, error, fetchNextPage, hasNextPage, isFetching, isPlaceholderData, refetch } = useInfiniteQuery({
    queryKey: ExplorerClient.queryKey(ExplorerClient.search, { q }),
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }) => ({
      q,
      page: await ExplorerClient.get(ExplorerClient.search, { q, page: pageParam }, signal)
    }),
    initialPageParam: 1,
    getNextPageParam: ({ page }) => page.next
  })
  const loadedPages = data?.pages.map(({ page }) => page)
  const loaded = loadedPages?.length ?? 0
  const needsPage = !isPlaceholderData && loaded > 0 && loaded < pages && hasNextPage && error === null
  useEffect(() => {
    if (needsPage && !isFetching) void fetchNextPage()
  }, [needsPage, isFetching, fetchNextPage])
  return {
    results: loadedPages === undefined ? undefined : fromPages(loadedPages),
    query: data?.pages[0]?.q,
    isStale: isPlaceholderData,
    isSlow: ExplorerClient.useIsSlow(isFetching),
    failure: error === null ? undefined : ExplorerClient.failureOf(error),
    retry: () => void (loaded > 0 && !isPlaceholderData ? fetchNextPage() : refetch()),
    loadMore: hasNextPage && !isPlaceholderData ? () => setPages(loaded + 1) : undefined,
    isLoadingMore: isFetching && loaded > 0 && !isPlaceholderData
  }
}

const fromPages = (pages: ReadonlyArray<ExplorerApi.SearchPage>): SearchResults.SearchResults => {
  const files: Array<SearchResults.FileResult> = []
  for (const page of pages) files.push(...SearchResults.fromPage(page, files.length))
  const last = pages.at(-1)
  return {
    files,
    total: { files: last?.total ?? 0 },
    incomplete: last?.incomplete === true ? ["deadline"] : [],
    isDone: true
  }
}
