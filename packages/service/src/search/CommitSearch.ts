/** Searches commits and changes with `git log`. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CommitHit, IncompleteReason } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { IndexError } from "./CodeIndex.ts"
import { selectRepositories } from "./CodeSearch.ts"
import * as RepositoryExpressions from "./RepositoryExpressions.ts"
import * as SearchTargets from "./SearchTargets.ts"
import { ContentSearchPool, type LogMatcher } from "./ContentSearchPool.ts"
import * as CommitDates from "./commits/CommitDates.ts"
import type { CommitMatch } from "./commits/CommitMatcher.ts"
import * as CommitQuery from "./commits/CommitQuery.ts"
import * as LogArguments from "./commits/LogArguments.ts"
import * as MergeByDate from "./commits/MergeByDate.ts"

/** Maximum number of searching git processes, and of open git processes, whose next commit may be waiting. */
const MAX_SEARCHING = 4
const MAX_OPEN = 24

/** Maximum milliseconds that a commit waits for newer commits of other repositories. */
const MAX_WAIT_MILLIS = 300

/** A matching commit, with the number of matches. */
export interface FoundCommit {
  readonly hit: CommitHit
  readonly matchCount: number
}

/** A search in progress. The properties change while `found` is read. */
export interface CommitSearch {
  readonly found: Stream.Stream<FoundCommit>
  /** Number of commits read so far. Commits that git filtered out are not counted. */
  examined: number
  readonly incomplete: Set<IncompleteReason>
  readonly notes: Set<string>
}

interface Repository {
  readonly served: ServedRepository
  /** Commits from which the log starts, with dates in seconds. */
  readonly tips: ReadonlyMap<string, number>
}

/** Creates the search of commits in the given repositories. Does not check access. */
export const make = Effect.gen(function* () {
  const git = yield* Git
  const pool = yield* ContentSearchPool
  let lastLog = 0

  const searchOne = (
    commitQuery: CommitQuery.CommitQuery,
    { served, tips }: Repository,
    matcher: LogMatcher,
    search: CommitSearch
  ): Stream.Stream<CommitMatch, GitError | IndexError> => {
    const log = ++lastLog
    const { fullName } = served
    const { args, content } = LogArguments.make(commitQuery, [...tips.keys()])
    const match = (bytes: Uint8Array, isLast: boolean) =>
      Effect.map(matcher.match({ log, bytes, isLast }), ({ commits, isCut, matches }) => {
        search.examined += commits
        if (isCut) search.incomplete.add("limit")
        return matches
      })
    return Stream.unwrap(
      Effect.as(
        Effect.acquireRelease(matcher.begin({ log, query: commitQuery, fullName, content }), () =>
          Effect.ignore(matcher.end(log))
        ),
        git.stream(args, { gitDir: served.git.gitDir, flushesCommits: true }).pipe(
          Stream.mapEffect((bytes) => match(bytes, false)),
          Stream.concat(Stream.fromEffect(Effect.suspend(() => match(new Uint8Array(), true)))),
          Stream.flatMap(Stream.fromIterable)
        )
      )
    )
  }

  const report = (served: ServedRepository, { message }: { readonly message: string }) =>
    Effect.logError(`The commits of ${served.fullName} cannot be searched: ${message}`)

  /** Returns the newest commit of the default branch, without a wait for the index. */
  const stateOf = (served: ServedRepository): Effect.Effect<SearchTargets.RepositoryState> =>
    served.git.tip.pipe(
      Effect.map(({ ref }): SearchTargets.RepositoryState =>
        ref === undefined
          ? { served, tip: undefined, phase: "empty" }
          : { served, tip: ref.peeled ?? ref.oid, phase: "ready" }
      ),
      Effect.catch((error) => Effect.as(report(served, error), { served, tip: undefined, phase: "failed" as const }))
    )

  /** Returns the commits from which the logs start, by repository. */
  const findTips = Effect.fnUntraced(function* (
    query: CodeQuery,
    scope: ReadonlyArray<ServedRepository>,
    search: CommitSearch
  ) {
    const states = yield* Effect.forEach(scope, stateOf, { concurrency: MAX_SEARCHING })
    const { isIncomplete, notes, targets } = yield* SearchTargets.resolve(query, states)
    if (isIncomplete) search.incomplete.add("failed")
    for (const note of notes) search.notes.add(note)
    const repositories = new Map<ServedRepository, Map<string, number>>()
    for (const { commit, served } of targets) {
      const tips = repositories.get(served) ?? new Map<string, number>()
      const found = yield* Effect.orElseSucceed(served.git.commit(commit), () => undefined)
      // Git reports an unreadable commit, so that the search is incomplete.
      repositories.set(served, tips.set(commit, found?.committer.seconds ?? Number.POSITIVE_INFINITY))
    }
    return [...repositories].map(([served, tips]): Repository => ({ served, tips }))
  })

  const find = Effect.fnUntraced(function* (
    given: CodeQuery,
    repositories: ReadonlyArray<ServedRepository>,
    search: CommitSearch
  ) {
    const query = yield* RepositoryExpressions.resolve(given, repositories, (source, names) =>
      pool.matchNames(source, names)
    )
    const scope = selectRepositories(query, repositories)
    const [first] = scope
    const dates = CommitQuery.dateValues(query.expression)
    const invalid = dates.filter((date) => !CommitDates.isDate(date))
    for (const note of CommitQuery.notes(query)) search.notes.add(note)
    for (const date of invalid)
      search.notes.add(`${date} is not a date. Write a date such as 2024-01-31, 2.weeks.ago or yesterday.`)
    if (first === undefined || invalid.length > 0) return Stream.empty
    const commitQuery = { query, dates: yield* CommitDates.read(git, first.git.gitDir, dates) }
    const found = yield* findTips(query, scope, search)
    const matcher = yield* pool.logMatcher({ hasRegex: CommitQuery.hasRegex(query) })
    const sources = found.map((repository) => {
      const { served, tips } = repository
      const [owner = "", repo = ""] = served.fullName.split("/")
      return {
        newest: Math.max(...tips.values()),
        items: searchOne(commitQuery, repository, matcher, search).pipe(
          Stream.map(({ matchCount, seconds, ...match }) => ({
            seconds,
            found: { matchCount, hit: { _tag: "Commit" as const, owner, repo, ...match } }
          })),
          // After a failure in one repository, the search continues with the next.
          Stream.catch((error: GitError | IndexError) => {
            const isTimeout = error._tag === "GitError" && error.reason._tag === "TimedOut"
            search.incomplete.add(isTimeout ? "deadline" : "failed")
            return Stream.drain(Stream.fromEffect(report(served, error)))
          })
        )
      }
    })
    return Stream.map(
      MergeByDate.merge(sources, {
        date: ({ seconds }) => seconds,
        concurrency: MAX_SEARCHING,
        maxOpen: MAX_OPEN,
        maxWaitMillis: MAX_WAIT_MILLIS
      }),
      ({ found }): FoundCommit => found
    )
  })

  return (query: CodeQuery, repositories: ReadonlyArray<ServedRepository>): CommitSearch => {
    const search: CommitSearch = {
      examined: 0,
      incomplete: new Set<IncompleteReason>(),
      notes: new Set<string>(),
      found: Stream.unwrap(
        Effect.suspend(() => find(query, repositories, search)).pipe(
          Effect.catch((error: GitError | IndexError) => {
            search.incomplete.add("failed")
            return Effect.as(Effect.logError(error.message), Stream.empty)
          })
        )
      )
    }
    return search
  }
})
