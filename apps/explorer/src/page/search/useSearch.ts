/** Runs the search of the page: streamed where the forge has an index, page by page elsewhere. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import * as SearchResults from "./SearchResults.ts"
import { collectResults } from "./SearchStream.ts"

export interface SearchState {
  /** What was found so far; of the search before, while nothing of this one is there (`isStale`). */
  readonly results: SearchResults.SearchResults | undefined
  /** The query that the outcome is of. */
  readonly query: string | undefined
  readonly isStale: boolean
  /** Nothing has come for longer than people like. */
  readonly isSlow: boolean
  readonly failure: Wire.Failure | undefined
  readonly retry: () => void
  /** Gets more, where there is more to get. */
  readonly loadMore: (() => void) | undefined
  readonly isLoadingMore: boolean
}

/** Files that a search of the index gives, at first and at most (`core/explore`). */
const FIRST = 200
const MOST = 1_000

/** Milliseconds for which an answer is taken for what the index would say now. */
const FRESH = 10_000

/** Milliseconds between two looks at what a stream brought. */
const PAUSE = 60

/** Nothing runs without a query: one that cannot succeed is none. */
export const useIndexSearch = (
  q: string | undefined,
  pages: number,
  setPages: (pages: number) => void
): SearchState => {
  const limit = pages > 1 ? MOST : FIRST
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ["api/tongs/search", q, limit],
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
    // What is there is shown at once, and looked for again: somebody may have pushed.
    staleTime: FRESH,
    queryFn: async ({ client, queryKey, signal }) => {
      const isAgain = client.getQueryData(queryKey) !== undefined
      const { body } = await Api.ask(Api.url("api/tongs/search", { q, limit }), signal)
      if (body === null) return { q, outcome: SearchResults.empty }
      const outcome = await collectResults(body, PAUSE, (outcome) => {
        // What comes in after the reader went on belongs to nobody; a part is less than the whole of before.
        if (!signal.aborted && !isAgain && outcome.files.length > 0) client.setQueryData(queryKey, { q, outcome })
      })
      return { q, outcome }
    }
  })
  const isStale = data !== undefined && data.q !== q
  const hasMore = !isPlaceholderData && data?.outcome.incomplete.includes("limit") === true && limit < MOST
  return {
    results: data?.outcome,
    query: data?.q,
    isStale,
    isSlow: Api.useSlow(isFetching && (data === undefined || isStale)),
    failure: error === null ? undefined : Api.failureOf(error),
    retry: () => void refetch(),
    loadMore: hasMore ? () => setPages(2) : undefined,
    isLoadingMore: isPlaceholderData && !isStale
  }
}

export const usePagedSearch = (
  q: string | undefined,
  pages: number,
  setPages: (pages: number) => void
): SearchState => {
  const { data, error, fetchNextPage, hasNextPage, isFetching, isPlaceholderData, refetch } = useInfiniteQuery({
    queryKey: Api.key(Api.search, { q }),
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }) => ({ q, page: await Api.get(Api.search, { q, page: pageParam }, signal) }),
    initialPageParam: 1,
    getNextPageParam: ({ page }) => page.next
  })
  const found = data?.pages.map(({ page }) => page)
  const have = found?.length ?? 0
  const wants = !isPlaceholderData && have > 0 && have < pages && hasNextPage && error === null
  useEffect(() => {
    if (wants && !isFetching) void fetchNextPage()
  }, [wants, isFetching, fetchNextPage])
  return {
    results: found === undefined ? undefined : outcomeOf(found),
    query: data?.pages[0]?.q,
    isStale: isPlaceholderData,
    isSlow: Api.useSlow(isFetching),
    failure: error === null ? undefined : Api.failureOf(error),
    retry: () => void (have > 0 && !isPlaceholderData ? fetchNextPage() : refetch()),
    loadMore: hasNextPage && !isPlaceholderData ? () => setPages(have + 1) : undefined,
    isLoadingMore: isFetching && have > 0 && !isPlaceholderData
  }
}

const outcomeOf = (pages: ReadonlyArray<Wire.SearchPage>): SearchResults.SearchResults => {
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
