/** Where the query that led to a file stands in it: as the index says, or its words where there is no index. */
import { useMemo } from "react"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import type { Line } from "../model/TextLines.ts"
import * as QueryTermMatcher from "../model/QueryTermMatcher.ts"
import type { LineMatches } from "../editor/MatchHighlights.ts"

/** Undefined until it is known. */
export const useQueryMatches = (
  { commit, owner, path, repo }: Wire.Pinned,
  lines: ReadonlyArray<Line>,
  q: string,
  hasIndex: boolean
): ReadonlyArray<LineMatches> | undefined => {
  const isAsked = hasIndex && q !== ""
  const answer = Api.useAnswer(Api.matches, isAsked ? { q, owner, repo, path, ref: commit } : undefined)
  const told = answer._tag === "Ready" ? answer.value.lines : undefined
  // Of a file that the index leaves out it tells nothing.
  const isTold = told !== undefined && told.length > 0
  const isWaiting = isAsked && answer._tag === "Loading"
  const words = useMemo(() => {
    if (isTold || isWaiting) return none
    const find = QueryTermMatcher.make(q)
    return lines
      .map(({ number, text }) => ({ line: number, ranges: find(text) }))
      .filter(({ ranges }) => ranges.length > 0)
  }, [isTold, isWaiting, lines, q])
  const marks = useMemo(
    () =>
      told?.map(({ cut, matches, number }) => ({
        line: number,
        ranges: matches.map(([start, end]): Wire.Range => [start + cut, end + cut])
      })),
    [told]
  )
  if (isWaiting) return undefined
  return isTold ? marks : words
}

const none: ReadonlyArray<LineMatches> = []
