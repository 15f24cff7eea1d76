import { useInfiniteQuery } from "@tanstack/react-query"
import { useEffect, useLayoutEffect } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type * as IssueApi from "../../IssueApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { useGrowingCount } from "../hooks/useGrowingCount.ts"
import { historyState, useNavigation, useScrollRestoration } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

/** Number of items to render without a pause. */
const STEP = 10

/** Maximum number of pages to load for a linked comment. */
const MAX_PAGES = 40

/** The comments and events of an issue that are loaded. */
export interface Conversation {
  /** The items to render, the oldest first. */
  readonly items: IssueApi.Timeline["items"]
  /** Number of items that are loaded, and number of all items, if known. */
  readonly loaded: number
  readonly total: number | null
  readonly failure: ExplorerApi.Failure | undefined
  readonly isLoading: boolean
  readonly hasMore: boolean
  /** Number of items of the next page at most. */
  readonly pageSize: number
  /** True if the linked comment is not among the items, and loading has ended. */
  readonly isCommentMissing: boolean
  /** Loads the next page, or a failed page again. */
  readonly loadMore: () => void
}

/** Loads the conversation page by page. Loads the pages up to a linked comment, and scrolls to it. */
export const useConversation = (route: Route.Issue | Route.Pull, isIssueReady: boolean): Conversation => {
  const { comment } = route
  const parameters = ViewRequests.issue(route)
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ExplorerClient.queryKey(ExplorerClient.timeline, parameters),
    queryFn: ({ pageParam, signal }) =>
      ExplorerClient.get(ExplorerClient.timeline, { ...parameters, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next
  })
  const pages = data?.pages ?? []
  const items = pages.flatMap(({ items }) => items)
  const count = useGrowingCount(items.length, STEP)
  const isFound = items.some((item) => item.kind === "comment" && item.id === comment)
  const isSearching = comment !== undefined && !isFound && hasNextPage && error === null && pages.length < MAX_PAGES
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage()
  }, [fetchNextPage, isFetching, isSearching])
  const isShown = isIssueReady && data !== undefined && !isSearching && count === items.length
  // A second click on a link to a comment scrolls again.
  const view = `${useNavigation()}`
  useScrollRestoration(view, isShown)
  useLayoutEffect(() => {
    if (isShown && comment !== undefined && historyState().scroll === undefined)
      document.getElementById(`issuecomment-${comment}`)?.scrollIntoView()
  }, [comment, isShown, view])
  return {
    items: items.slice(0, count),
    loaded: items.length,
    total: pages.findLast(({ total }) => total !== null)?.total ?? null,
    failure: error === null ? undefined : ExplorerClient.failureOf(error),
    isLoading: isFetching,
    hasMore: hasNextPage,
    pageSize: pages[0]?.items.length ?? 0,
    isCommentMissing: comment !== undefined && isShown && !isFound,
    loadMore: () => void (data === undefined ? refetch() : fetchNextPage())
  }
}
