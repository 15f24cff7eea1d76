/** Searches commits and changes: the history index selects commits, and `git log` reads these. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { IncompleteReason } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { IndexError } from "./CodeIndex.ts"
import { selectRepositories, withoutRepositoryFilters } from "./CodeSearch.ts"
import * as RepositoryExpressions from "./RepositoryExpressions.ts"
import type {
  FoundCommit,
  OpenClusterSearch,
  OpenSearch,
  Options,
  RepositoryStep,
  SearchState
} from "./OpenedCommitSearch.ts"
import * as SearchTargets from "./SearchTargets.ts"
import { ContentSearchPool, type LogMatcher } from "./ContentSearchPool.ts"
import * as CommitCursor from "./commits/CommitCursor.ts"
import * as CommitDates from "./commits/CommitDates.ts"
import type { CommitMatch } from "./commits/CommitMatcher.ts"
import * as CommitQuery from "./commits/CommitQuery.ts"
import * as LogArguments from "./commits/LogArguments.ts"
import * as MergeByDate from "./commits/MergeByDate.ts"
import * as TipDates from "./commits/TipDates.ts"
import { HistoryIndex } from "./history/HistoryIndex.ts"
import type { WalkBatch, WalkPosition } from "./commits/CommitWalk.ts"

/** Maximum number of searching git processes, and of open git processes, whose next commit may be waiting. */
const MAX_SEARCHING = 4
const MAX_OPEN = 24

/** Maximum milliseconds that a commit waits for newer commits of other repositories. */
const MAX_WAIT_MILLIS = 300

/** A step of a search: a matching commit, or only a new cursor. */
export interface SearchStep {
  readonly found: FoundCommit | undefined
  /** Where the search continues after this step. Undefined if all commits were searched. */
  readonly cursor: string | undefined
}

/** A search in progress. The state changes while `steps` or `found` is read. */
export interface CommitSearch extends SearchState {
  readonly steps: Stream.Stream<SearchStep>
  /** The matching commits of the steps. Read either `steps` or `found`. */
  readonly found: Stream.Stream<FoundCommit>
}

interface Repository {
  readonly served: ServedRepository
  /** Commits from which the log starts, with dates in seconds. */
  readonly tips: ReadonlyMap<string, number>
}

/** A step of the search of a repository. `position` is undefined after the last commit. */
interface WalkStep {
  readonly match: CommitMatch | undefined
  readonly position: WalkPosition | undefined
}

/** The number of the last log. A worker can match logs of all searches of this process at the same time. */
let lastLog = 0

/** Creates the search of commits by the history indexes of this process. */
export const makeLocal = Effect.gen(function* () {
  const git = yield* Git
  const history = yield* HistoryIndex
  const pool = yield* ContentSearchPool

  const searchOne = (
    commitQuery: CommitQuery.CommitQuery,
    { served, tips }: Repository,
    matcher: LogMatcher,
    { cursor }: Options,
    search: SearchState
  ): Stream.Stream<WalkStep, GitError | IndexError> => {
    const { fullName } = served
    const { gitDir } = served.git
    const read = (batch: WalkBatch): Stream.Stream<WalkStep, GitError | IndexError> => {
      const { end, isSelected, oids, oldest } = batch
      const log = ++lastLog
      const { args, content } = LogArguments.make(commitQuery, { isSelected })
      const places = new Map(oids.map((oid, at) => [oid, at]))
      const input = oids.map((oid) => `${oid}\n`).join("")
      const match = (bytes: Uint8Array, isLast: boolean) =>
        Effect.map(matcher.match({ log, bytes, isLast }), ({ isCut, matches }) => {
          if (isCut) search.incomplete.add("limit")
          return matches
        })
      const matches = git.stream(args, { gitDir, flushesCommits: true, input }).pipe(
        Stream.mapEffect((bytes) => match(bytes, false)),
        Stream.concat(Stream.fromEffect(Effect.suspend(() => match(new Uint8Array(), true)))),
        Stream.flatMap(Stream.fromIterable),
        Stream.map((match): WalkStep => {
          const seconds = oldest[places.get(match.sha) ?? -1] ?? match.seconds
          return { match, position: { seconds, oids: [match.sha] } }
        })
      )
      const begin = Effect.acquireRelease(matcher.begin({ log, query: commitQuery, fullName, content }), () =>
        Effect.ignore(matcher.end(log))
      )
      const last = Stream.sync((): WalkStep => {
        search.examined += oids.length
        return { match: undefined, position: end }
      })
      return oids.length === 0 ? last : Stream.concat(Stream.unwrap(Effect.as(begin, matches)), last)
    }
    return Stream.flatMap(history.walk({ gitDir, tips: [...tips.keys()], query: commitQuery, position: cursor }), read)
  }

  const report = (served: ServedRepository, { message }: { readonly message: string }) =>
    Effect.logError(`The commits of ${served.fullName} cannot be searched: ${message}`)

  /** Returns the newest commit of the default branch, without a wait for the index, and without git if files give it. */
  const stateOf = (served: ServedRepository): Effect.Effect<SearchTargets.RepositoryState> => {
    const oid = served.git.headOid()
    if (oid !== undefined) return Effect.succeed({ served, tip: oid, phase: "ready" })
    return served.git.tip.pipe(
      Effect.map(({ ref }): SearchTargets.RepositoryState =>
        ref === undefined
          ? { served, tip: undefined, phase: "empty" }
          : { served, tip: ref.peeled ?? ref.oid, phase: "ready" }
      ),
      Effect.catch((error) => Effect.as(report(served, error), { served, tip: undefined, phase: "failed" as const }))
    )
  }

  /** Returns the commits from which the logs start, by repository. */
  const findTips = Effect.fnUntraced(function* (
    query: CodeQuery,
    scope: ReadonlyArray<ServedRepository>,
    search: SearchState
  ) {
    const states = yield* Effect.forEach(scope, stateOf, { concurrency: MAX_SEARCHING })
    if (query.kind === "diff") yield* Effect.forEach(scope, (served) => history.request(served), { discard: true })
    const { isIncomplete, notes, targets, unknownRevisions } = yield* SearchTargets.resolve(query, states)
    if (isIncomplete) search.incomplete.add("failed")
    for (const note of notes) search.notes.add(note)
    const dates = yield* TipDates.read(git, targets)
    const repositories = new Map<ServedRepository, Map<string, number>>()
    for (const { commit, served } of targets) {
      const tips = repositories.get(served) ?? new Map<string, number>()
      // Git reports an unreadable commit, so that the search is incomplete.
      repositories.set(served, tips.set(commit, dates.get(commit) ?? Number.POSITIVE_INFINITY))
    }
    return { found: [...repositories].map(([served, tips]): Repository => ({ served, tips })), unknownRevisions }
  })

  const open: OpenSearch = Effect.fnUntraced(function* (commitQuery, scope, options, search) {
    const { query } = commitQuery
    const { found, unknownRevisions } = yield* findTips(query, scope, search)
    const matcher = yield* pool.logMatcher({ hasRegex: CommitQuery.hasRegex(query) })
    const starts = found
      .map((repository) => ({ repository, start: positionBefore(repository, options) }))
      .sort((a, b) => b.start.seconds - a.start.seconds)
    /** For each index, the position before the commits of the repositories from there. These are opened in order. */
    const positionsFrom: Array<WalkPosition | undefined> = []
    let rest: WalkPosition | undefined
    for (const [at, { start }] of [...starts.entries()].reverse())
      positionsFrom[at] = rest = CommitCursor.combine(rest === undefined ? [start] : [start, rest])
    /** The positions of the opened repositories that are not searched completely, and the number of opened ones. */
    const positions = new Map<Repository, WalkPosition>()
    let opened = 0
    const sources = starts.map(({ repository, start }) => {
      const { served } = repository
      return {
        newest: start.seconds,
        items: Stream.suspend(() => {
          positions.set(repository, start)
          opened++
          return searchOne(commitQuery, repository, matcher, options, search)
        }).pipe(
          // After a failure in one repository, the search continues with the next.
          Stream.catch((error: GitError | IndexError) => {
            const isTimeout = error._tag === "GitError" && error.reason._tag === "TimedOut"
            search.incomplete.add(isTimeout ? "deadline" : "failed")
            return Stream.fromEffect(
              Effect.as(report(served, error), { match: undefined, position: undefined } satisfies WalkStep)
            )
          }),
          Stream.map((step) => ({ ...step, repository, newest: start.seconds }))
        )
      }
    })
    const steps = MergeByDate.merge(sources, {
      date: dateOf,
      concurrency: MAX_SEARCHING,
      maxOpen: MAX_OPEN,
      maxWaitMillis: MAX_WAIT_MILLIS
    })
    const merged = Stream.map(steps, ({ match, newest, position, repository }): RepositoryStep => {
      if (position === undefined) positions.delete(repository)
      else positions.set(repository, position)
      const unopened = positionsFrom[opened]
      return {
        served: repository.served,
        found: match === undefined ? undefined : foundCommit(repository, match),
        position: CommitCursor.combine([...positions.values(), ...(unopened === undefined ? [] : [unopened])]),
        seconds: dateOf({ match, position }),
        newest
      }
    })
    return { steps: merged, start: positionsFrom[0], unknownRevisions }
  })
  return open
})

/** Creates the search of commits in the given repositories. Does not check access. */
export const make = Effect.gen(function* () {
  const git = yield* Git
  const pool = yield* ContentSearchPool
  const ownership = yield* RepositoryOwnership
  const local = yield* makeLocal
  const open: OpenClusterSearch =
    ownership.runner === null
      ? local
      : yield* Effect.flatMap(
          Effect.promise(() => import("./cluster/ClusterCommits.ts")),
          (ClusterCommits) => ClusterCommits.make(local)
        )

  const find = Effect.fnUntraced(function* (
    given: CodeQuery,
    repositories: ReadonlyArray<ServedRepository>,
    options: Options,
    search: SearchState
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
    const { steps, unknownRevisions } = yield* open(
      commitQuery,
      scope,
      options,
      search,
      withoutRepositoryFilters(given)
    )
    for (const revision of unknownRevisions) search.notes.add(SearchTargets.unknownRevision(revision))
    return Stream.map(steps, ({ found, position }): SearchStep => ({
      found,
      cursor: position === undefined ? undefined : CommitCursor.print(position)
    }))
  })

  return (query: CodeQuery, repositories: ReadonlyArray<ServedRepository>, options: Options = {}): CommitSearch => {
    const steps = Stream.unwrap(
      Effect.suspend(() => find(query, repositories, options, search)).pipe(
        Effect.catch((error: GitError | IndexError) => {
          search.incomplete.add("failed")
          return Effect.as(Effect.logError(error.message), Stream.empty)
        })
      )
    )
    const search: CommitSearch = {
      examined: 0,
      incomplete: new Set<IncompleteReason>(),
      notes: new Set<string>(),
      steps,
      found: Stream.flatMap(steps, ({ found }) => (found === undefined ? Stream.empty : Stream.succeed(found)))
    }
    return search
  }
})

/** Returns the date of a step in seconds. */
const dateOf = ({ match, position }: WalkStep): number =>
  match?.seconds ?? position?.seconds ?? Number.NEGATIVE_INFINITY

/** Returns the position before the newest commit, or where the search continues if that is later. */
const positionBefore = ({ tips }: Repository, { cursor }: Options): WalkPosition => {
  const newest = Math.max(...tips.values())
  return cursor !== undefined && cursor.seconds <= newest ? cursor : { seconds: newest + 1, oids: [] }
}

const foundCommit = ({ served }: Repository, { matchCount, seconds: _seconds, ...match }: CommitMatch): FoundCommit => {
  const [owner = "", repo = ""] = served.fullName.split("/")
  return { matchCount, hit: { _tag: "Commit", owner, repo, ...match } }
}
