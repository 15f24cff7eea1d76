/** The order of results while more arrive, without moving the results in view. */
import type { SortOrder } from "../model/Route.ts"
import { type FileResult, key, repositoryName } from "./SearchResults.ts"

/** Results in order. */
export interface OrderedResults {
  /** Grouped by repository, and sorted within each. */
  readonly files: ReadonlyArray<FileResult>
  /** The count of files that belong before or between the pinned files, and are listed later or not at all. */
  readonly misplaced: number
}

/**
 * Orders the files, after the `pinned` files: the first files of an earlier result, which stay in place.
 *
 * **Details**
 *
 * A file that belongs before the end of the pinned files comes after them if it is in the last pinned repository.
 * Otherwise its group is closed, and the file is omitted until the next call without `pinned`.
 */
export const orderResults = (
  files: ReadonlyArray<FileResult>,
  sort: SortOrder | undefined,
  pinned: ReadonlyArray<FileResult> = []
): OrderedResults => {
  const sorted = sortGroups(files, sort)
  const last = pinned.at(-1)
  const end = last === undefined ? -1 : sorted.findIndex((result) => key(result) === key(last))
  if (last === undefined || end === -1) return { files: sorted, misplaced: 0 }
  const pinnedKeys = new Set(pinned.map(key))
  const pinnedRepositories = new Set(pinned.map(repositoryName))
  const rest = sorted.flatMap((result, index) => {
    const inLastGroup = repositoryName(result) === repositoryName(last)
    const isMisplaced = index < end || (pinnedRepositories.has(repositoryName(result)) && !inLastGroup)
    return pinnedKeys.has(key(result)) ? [] : [{ result, inLastGroup, isMisplaced }]
  })
  return {
    files: [
      ...pinned,
      ...rest.filter(({ inLastGroup }) => inLastGroup).map(({ result }) => result),
      ...rest.filter(({ inLastGroup, isMisplaced }) => !isMisplaced && !inLastGroup).map(({ result }) => result)
    ],
    misplaced: rest.filter(({ isMisplaced }) => isMisplaced).length
  }
}

const sortGroups = (files: ReadonlyArray<FileResult>, sort: SortOrder | undefined): ReadonlyArray<FileResult> => {
  const compare = comparisons[sort ?? "best"]
  const groups = Array.from(Map.groupBy(files, repositoryName).values(), (group) => group.toSorted(compare))
  // Groups are in the order of the first file of each, or by name if the sort is by a name.
  const compareGroups = sort === "path" || sort === "repository" ? byRepository : compare
  return groups.toSorted(([a], [b]) => (a === undefined || b === undefined ? 0 : compareGroups(a, b))).flat()
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byPath = (a: FileResult, b: FileResult): number => compareText(a.path, b.path)
const byRank = (a: FileResult, b: FileResult): number => b.rank - a.rank || byPath(a, b)
const byMatches = (a: FileResult, b: FileResult): number => (b.matchCount ?? 0) - (a.matchCount ?? 0) || byRank(a, b)
const byRepository = (a: FileResult, b: FileResult): number => compareText(repositoryName(a), repositoryName(b))

const comparisons: Readonly<Record<SortOrder | "best", (a: FileResult, b: FileResult) => number>> = {
  best: byRank,
  path: byPath,
  repository: byRank,
  matches: byMatches
}
