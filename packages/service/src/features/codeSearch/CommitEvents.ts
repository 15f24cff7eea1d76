/** The events of a search of commits: hits, newest first, progress, and totals at the end. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import type { CommitSearch } from "../../search/CommitSearch.ts"

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
    const totals = () => ({ files: commits, matches })
    const hits = search.found.pipe(
      Stream.tap(({ hit, matchCount }) =>
        Effect.sync(() => {
          const fullName = `${hit.owner}/${hit.repo}`
          repositories.set(fullName, (repositories.get(fullName) ?? 0) + 1)
          commits++
          matches += matchCount
          if (commits > limit) search.incomplete.add("limit")
        })
      ),
      Stream.map(({ hit }): SearchEvent => hit),
      // Reads one commit above the limit, to detect further commits.
      Stream.takeWhile(() => commits <= limit)
    )
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
      files: Math.min(commits, limit),
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
      notes: [...search.notes]
    })
    return Stream.interruptWhen(hits, isOver).pipe(
      Stream.merge(progress, { haltStrategy: "left" }),
      Stream.concat(Stream.sync(done))
    )
  })
