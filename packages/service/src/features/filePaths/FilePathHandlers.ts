import * as Effect from "effect/Effect"
import { FilePaths } from "@tongs/core/contract/groups/FilePaths"
import { Git } from "../../git/process/Git.ts"
import * as TreePaths from "../../git/objects/TreePaths.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as Paging from "../../base/Paging.ts"
import * as FuzzyMatch from "./FuzzyMatch.ts"

/** Maximum number of files that a query lists. */
const MAX_LISTED = 1_000

/** Number of paths to match before other requests run. */
const BATCH_SIZE = 16_000

export const make = Effect.map(Git, (git) => {
  const treePaths = TreePaths.make(git)
  return group(FilePaths)({
    *find({ q, ref = "HEAD" }, { page, repository }) {
      const { git } = repository
      const commit = yield* git.resolve(ref)
      const known = commit === undefined ? undefined : yield* git.commit(commit)
      if (known === undefined) return yield* ApiError.notFound()
      const { isComplete, paths } = yield* treePaths(git.gitDir, known.tree)
      const words = FuzzyMatch.words(q)
      const { best, total } = yield* search(paths, words)
      const { items, ...slice } = Paging.slice(best, page)
      return {
        ...slice,
        items: items.map((path) => ({ path, matches: FuzzyMatch.ranges(words, path) })),
        wrap: (items: ReadonlyArray<unknown>) => ({
          total_count: best.length,
          incomplete_results: !isComplete || total > best.length,
          items
        })
      }
    }
  })
})

/** Returns the best matches in order, and the number of all matches. */
const search = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, words: FuzzyMatch.Words) {
  const matches: Array<{ readonly path: string; readonly score: number }> = []
  for (let start = 0; start < paths.length; start += BATCH_SIZE) {
    if (start > 0) yield* Effect.yieldNow
    for (const path of paths.slice(start, start + BATCH_SIZE)) {
      const score = FuzzyMatch.score(words, path)
      if (score !== undefined) matches.push({ path, score })
    }
  }
  return { best: bestOf(matches), total: matches.length }
})

const bestOf = (matches: ReadonlyArray<{ readonly path: string; readonly score: number }>): ReadonlyArray<string> => {
  // Sorting numbers is much faster than sorting all matches of a short query.
  const scores = Float64Array.from(matches, ({ score }) => -score).toSorted()
  const least = -(scores[MAX_LISTED - 1] ?? Infinity)
  return matches
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_LISTED)
    .map(({ path }) => path)
}
