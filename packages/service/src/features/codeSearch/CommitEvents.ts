/** The events of a search of commits: hits, newest first, progress, and totals at the end. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import * as CommitCursor from "../../search/commits/CommitCursor.ts"
import type { CommitSearch, SearchStep } from "../../search/CommitSearch.ts"

/** Limits of a search of commits. */
export interface Options {
  /** Maximum number of commits. */
  readonly limit: number
  readonly deadline: Duration.Duration
}

/** Interval between two progress events. */
const progressInterval = Duration.millis(200)

/** Maximum number of repositories in the facet. */
const MAX_FACETS = 50

/** Returns the events of a search of commits. The search runs while the stream is read, and ends with the stream. */
export const make = (search: CommitSearch, { deadline, limit }: Options): Stream.Stream<SearchEvent> =>
  Stream.suspend(() => {
    const begun = performance.now()
    const repositories = new Map<string, number>()
    let commits = 0
    let matches = 0
    let cursor: string | undefined
    const totals = () => ({ files: commits, matches })
    let read = 0
    const steps = search.steps.pipe(
      // Reads one commit above the limit, to detect further commits.
      Stream.map((step) => ({ step, isAbove: step.found !== undefined && ++read > limit })),
      Stream.takeWhile(({ isAbove }) => {
        if (isAbove) search.incomplete.add("limit")
        return !isAbove
      })
    )
    /** Counts the commit of a step. Called only for steps that are sent, so that the cursor skips no commit. */
    const take = ({ cursor: next, found }: SearchStep): ReadonlyArray<SearchEvent> => {
      cursor = next
      if (found === undefined) return []
      const fullName = `${found.hit.owner}/${found.hit.repo}`
      repositories.set(fullName, (repositories.get(fullName) ?? 0) + 1)
      commits++
      matches += found.matchCount
      return [found.hit]
    }
    const isOver = Effect.sleep(deadline).pipe(Effect.tap(Effect.sync(() => search.incomplete.add("deadline"))))
    const progress = Stream.map(Stream.drop(Stream.tick(progressInterval), 1), (): SearchEvent => ({
      _tag: "Progress",
      ...totals(),
      repositories: repositories.size,
      examined: search.examined,
      remaining: 0
    }))
    const done = (): SearchEvent => ({
      _tag: "Done",
      files: commits,
      matches,
      took: Math.round(performance.now() - begun),
      incomplete: [...search.incomplete],
      facets: {
        repo: [...repositories]
          .map(([value, count]) => ({ value, count }))
          .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
          .slice(0, MAX_FACETS),
        language: [],
        path: [],
        symbol: []
      },
      facets_complete: search.incomplete.size === 0,
      notes: [...search.notes, ...(search.incomplete.has("deadline") ? extentOf(cursor) : [])],
      ...(search.incomplete.size === 0 || cursor === undefined ? {} : { cursor })
    })
    return Stream.interruptWhen(steps, isOver).pipe(
      Stream.merge(progress, { haltStrategy: "left" }),
      Stream.flatMap((one) => Stream.fromIterable("step" in one ? take(one.step) : [one])),
      Stream.concat(Stream.sync(done))
    )
  })

/** Says how far a search came. */
const extentOf = (cursor: string | undefined): ReadonlyArray<string> => {
  const position = cursor === undefined ? undefined : CommitCursor.parse(cursor)
  const date = new Date((position?.seconds ?? Number.NaN) * 1000)
  return Number.isNaN(date.getTime())
    ? []
    : [`The search stopped at commits of ${date.toISOString().slice(0, 10)}. Search older commits to continue.`]
}
