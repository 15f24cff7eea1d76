/**
 * The order of the results while they arrive. They come as they are found, the better ones not always first; but what a
 * reader already looks at must not move under their eyes or their pointer.
 */
import type { SortOrder } from "../model/Route.ts"
import { type FileResult, key, repositoryName } from "./SearchResults.ts"

export interface OrderedResults {
  /** By repository, and within each by the order that was asked for. */
  readonly files: ReadonlyArray<FileResult>
  /** How many files belong further up, before or between what is settled. */
  readonly above: number
}

/**
 * The files in order, but the `settled` ones first, as they stand. They are the beginning of what an earlier call gave.
 * What belongs before them comes after them where it is of the last one's repository; of another, whose place is
 * further up, it waits until all are put in order.
 */
export const orderResults = (
  files: ReadonlyArray<FileResult>,
  sort: SortOrder | undefined,
  settled: ReadonlyArray<FileResult> = []
): OrderedResults => {
  const sorted = inOrder(files, sort)
  const last = settled.at(-1)
  if (last === undefined) return { files: sorted, above: 0 }
  const end = sorted.findIndex((found) => key(found) === key(last))
  if (end === -1) return { files: sorted, above: 0 }
  const known = new Set(settled.map(key))
  const seen = new Set(settled.map(repositoryName))
  const fresh = sorted.flatMap((found, at) => {
    const isOfLast = repositoryName(found) === repositoryName(last)
    const isAbove = at < end || (seen.has(repositoryName(found)) && !isOfLast)
    return known.has(key(found)) ? [] : [{ found, isOfLast, isAbove }]
  })
  return {
    files: [
      ...settled,
      ...fresh.filter(({ isOfLast }) => isOfLast).map(({ found }) => found),
      ...fresh.filter(({ isAbove, isOfLast }) => !isAbove && !isOfLast).map(({ found }) => found)
    ],
    above: fresh.filter(({ isAbove }) => isAbove).length
  }
}

const inOrder = (files: ReadonlyArray<FileResult>, sort: SortOrder | undefined): ReadonlyArray<FileResult> => {
  const compare = comparisons[sort ?? "best"]
  const groups = Array.from(Map.groupBy(files, repositoryName).values(), (group) => group.toSorted(compare))
  // The group whose first file comes before the others' is first; by name the repositories are in order of theirs.
  const compareGroups = sort === "path" || sort === "repository" ? byRepository : compare
  return groups.toSorted(([a], [b]) => (a === undefined || b === undefined ? 0 : compareGroups(a, b))).flat()
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byPath = (a: FileResult, b: FileResult): number => text(a.path, b.path)
const byRank = (a: FileResult, b: FileResult): number => b.rank - a.rank || byPath(a, b)
const byMatches = (a: FileResult, b: FileResult): number => (b.matchCount ?? 0) - (a.matchCount ?? 0) || byRank(a, b)
const byRepository = (a: FileResult, b: FileResult): number => text(repositoryName(a), repositoryName(b))

const comparisons: Readonly<Record<SortOrder | "best", (a: FileResult, b: FileResult) => number>> = {
  best: byRank,
  path: byPath,
  // Within a repository the best is first all the same.
  repository: byRank,
  matches: byMatches
}
