import { useMemo } from "react"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import type { LineMatches } from "../editor/MatchHighlights.ts"
import * as QueryTermMatcher from "../model/QueryTermMatcher.ts"
import type { Line } from "../model/TextLines.ts"

/**
 * The matches of the query in a file: from the index, or by the terms of the query for a file outside the index.
 * Undefined while loading.
 */
export const useQueryMatches = (
  { commit, owner, path, repo }: ExplorerApi.PinnedPath,
  lines: ReadonlyArray<Line>,
  q: string,
  hasIndex: boolean
): ReadonlyArray<LineMatches> | undefined => {
  const usesIndex = hasIndex && q !== ""
  const answer = ExplorerClient.useRequest(
    ExplorerClient.matches,
    usesIndex ? { q, owner, repo, path, ref: commit } : undefined
  )
  const indexed = answer._tag === "Ready" ? answer.value.lines : undefined
  // Empty for a file that is not in the index.
  const isIndexed = indexed !== undefined && indexed.length > 0
  const isLoading = usesIndex && answer._tag === "Loading"
  const termMatches = useMemo(() => {
    if (isIndexed || isLoading) return none
    const matcher = QueryTermMatcher.make(q)
    return lines
      .map(({ number, text }) => ({ line: number, ranges: matcher(text) }))
      .filter(({ ranges }) => ranges.length > 0)
  }, [isIndexed, isLoading, lines, q])
  const indexMatches = useMemo(
    () =>
      indexed?.map(({ cut, matches, number }) => ({
        line: number,
        ranges: matches.map(([start, end]): TextRange => [start + cut, end + cut])
      })),
    [indexed]
  )
  if (isLoading) return undefined
  return isIndexed ? indexMatches : termMatches
}

const none: ReadonlyArray<LineMatches> = []
