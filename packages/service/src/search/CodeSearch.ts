import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { CodeQuery, Expression } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { type CandidateBatch, type Candidate, CodeIndex, type IndexError, type CandidateOrder } from "./CodeIndex.ts"
import * as FileFilter from "./FileFilter.ts"
import { Indexer } from "./Indexer.ts"
import * as RepositoryExpressions from "./RepositoryExpressions.ts"
import * as SearchTargets from "./SearchTargets.ts"
import * as UnindexedSearch from "./UnindexedSearch.ts"
import type * as ContentSearch from "./ContentSearch.ts"
import { ContentSearchPool } from "./ContentSearchPool.ts"
import { WorkTrees } from "./worktree/WorkTrees.ts"
import * as WorkTreeTargets from "./worktree/WorkTreeTargets.ts"

/** Maximum number of repositories per search (spec part 3 §4.12). */
export const maxRepositories = 4_000

/** Default deadline of a search in milliseconds. */
const defaultDeadline = 4_000

/** Maximum milliseconds that a search waits for an update of the index that will be complete by then. */
const maxIndexingMillis = 1_000

/** A file that matches a query. */
export interface SearchHit extends Omit<ContentSearch.ContentHit, "candidate">, Pick<Candidate, "path"> {
  readonly served: ServedRepository
  readonly commit: string
  /** Revisions of the query that have the file. Empty without `rev:`. */
  readonly revisions: ReadonlyArray<string>
  /** True for a file of a work tree that `commit` lacks, or has with another content. */
  readonly isUncommitted: boolean
}

/** The next results of a search. */
export interface SearchBatch {
  /** Hits by rank, or in the order of the candidates if the search is not ordered by `best`. */
  readonly hits: ReadonlyArray<SearchHit>
  /** Number of files verified for this batch. */
  readonly examined: number
  /** Estimated number of files still to verify. */
  readonly remaining: number
  /** True if a file or repository could not be searched. The log has the reason. */
  readonly isIncomplete?: boolean
  /** Sentences for the user, from the index. */
  readonly notes?: ReadonlyArray<string>
}

/** Options of a search. */
export interface SearchOptions {
  readonly show: ContentSearch.ContentSearchInput["show"]
  readonly order: CandidateOrder
  /** Searches work trees instead of the commits that they have checked out. The caller checks the permission. */
  readonly searchesWorkTrees?: boolean
  /** Time limit of the whole search. The caller ends `found` at the deadline. */
  readonly deadline: Duration.Duration
}

/** A search in progress. */
export interface Search {
  readonly found: Stream.Stream<SearchBatch, IndexError>
  /** True if a repository cannot be searched. */
  readonly isIncomplete: boolean
  /** Sentences for the user about the searched commits, for example about a revision that no repository has. */
  readonly notes: ReadonlyArray<string>
}

/** Code search: finds candidates with the index, and verifies them. */
export class CodeSearch extends Context.Service<
  CodeSearch,
  {
    /** Configured time limit of a search. */
    readonly deadline: Duration.Duration
    /** Starts a search of the given repositories, of at most `maxRepositories`. Does not check access. */
    readonly search: (
      query: CodeQuery,
      repositories: ReadonlyArray<ServedRepository>,
      options: SearchOptions
    ) => Effect.Effect<Search, IndexError>
  }
>()("@tongs/service/search/CodeSearch") {
  /** Layer with a deadline in milliseconds, by default 4 seconds. */
  static readonly layer = (options: { readonly deadline?: number | undefined } = {}) =>
    Layer.effect(
      CodeSearch,
      Effect.suspend(() => make(Duration.millis(options.deadline ?? defaultDeadline)))
    )
}

/** Returns the repositories that the `repo`, `user` and `org` filters of a query admit. */
export const selectRepositories = (
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>
): ReadonlyArray<ServedRepository> =>
  repositories.filter(({ fullName }) => admits(query.expression, fullName) !== false)

/** True if a query admits all files of a repository, false if none, undefined if that depends on the file. */
const admits = (self: Expression, fullName: string): boolean | undefined => {
  switch (self._tag) {
    case "And": {
      const all = self.all.map((one) => admits(one, fullName))
      return all.includes(false) ? false : all.includes(undefined) ? undefined : true
    }
    case "Or": {
      const any = self.any.map((one) => admits(one, fullName))
      return any.includes(true) ? true : any.includes(undefined) ? undefined : false
    }
    case "Not": {
      const not = admits(self.not, fullName)
      return not === undefined ? undefined : !not
    }
    case "Filter": {
      const { name } = self.filter
      return name === "repo" || name === "user" || name === "org"
        ? FileFilter.make(self.filter)({ fullName, path: "", size: 0 })
        : undefined
    }
    default:
      return undefined
  }
}

/** Maximum number of repositories that a note names. */
const maxNamed = 5

/** Explains that no repository has the names of the query. Names only the given ones, which the caller can read. */
const noRepository = (repositories: ReadonlyArray<ServedRepository>): ReadonlyArray<string> => {
  if (repositories.length === 0) return ["There is no repository that you can read."]
  const names = repositories.slice(0, maxNamed).map(({ fullName }) => `repo:${fullName}`)
  const more = repositories.length - names.length
  const all = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ")
  return [`No repository matches repo:, user: and org: of the query. Searchable: ${all}.`]
}

/** Empty batch that marks the results as incomplete. */
export const incompleteBatch: SearchBatch = { hits: [], examined: 0, remaining: 0, isIncomplete: true }

const make = Effect.fnUntraced(function* (deadline: Duration.Duration) {
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const verifiers = yield* ContentSearchPool
  const workTrees = yield* WorkTrees

  /** Verifies the candidates of a batch. */
  const verify =
    (query: CodeQuery, { targets }: SearchTargets.SearchTargets, { order, show }: SearchOptions) =>
    (batch: CandidateBatch) =>
      Effect.gen(function* () {
        for (const { detail, target } of batch.failed ?? []) {
          yield* Effect.logError(`${targets[target]?.served.fullName} cannot be searched: ${detail}`)
        }
        const candidates = batch.candidates.flatMap((candidate) => {
          const target = targets[candidate.targets[0]]
          if (target === undefined) return []
          const { fullName, git } = target.served
          return [{ ...candidate, fullName, objectFormat: git.objectFormat }]
        })
        const { cut, hits: verified, problem } = yield* verifiers.verify({ query, candidates, show })
        if (problem !== undefined) yield* Effect.logError(problem)
        const hits = verified.flatMap(({ candidate, ...hit }): ReadonlyArray<SearchHit> => {
          const file = candidates[candidate]
          const target = targets[file?.targets[0] ?? -1]
          if (file === undefined || target === undefined) return []
          return [
            {
              ...hit,
              path: file.path,
              served: target.served,
              commit: target.commit,
              revisions: file.targets.flatMap((index) => targets[index]?.revision ?? []),
              isUncommitted: file.folder !== undefined
            }
          ]
        })
        return {
          hits: order === "best" ? hits.sort((a, b) => b.rank - a.rank) : hits,
          examined: batch.candidates.length,
          remaining: batch.left,
          isIncomplete:
            batch.isIncomplete === true || problem !== undefined || cut.length > 0 || (batch.failed ?? []).length > 0,
          notes: [
            ...(batch.notes ?? []),
            ...cut.map((at) => `${candidates[at]?.path} has too many matching lines. Only the first ones are shown.`)
          ]
        } satisfies SearchBatch
      })

  /** Searches file by file while the index cannot be read. A failure in one repository does not stop the others. */
  const withoutIndex = (query: CodeQuery, { targets }: SearchTargets.SearchTargets) =>
    Stream.fromIterable(targets.keys()).pipe(
      Stream.flatMap((at) => {
        const target = targets[at]
        if (target === undefined) return Stream.empty
        return UnindexedSearch.candidates(query, at, target.served, target).pipe(
          Stream.catchTag("GitError", ({ message }) =>
            Stream.succeed<CandidateBatch>({ candidates: [], left: 0, failed: [{ target: at, detail: message }] })
          )
        )
      })
    )

  const candidatesOf = (query: CodeQuery, targets: SearchTargets.SearchTargets, { order }: SearchOptions) => {
    let isStarted = false
    return index.candidates(query, targets.targets, order).pipe(
      Stream.tap(() => Effect.sync(() => (isStarted = true))),
      Stream.catchTag("IndexError", (error) => (isStarted ? Stream.fail(error) : withoutIndex(query, targets)))
    )
  }

  return CodeSearch.of({
    deadline,
    search: Effect.fn("CodeSearch.search")(function* (given, repositories, options) {
      const query = yield* RepositoryExpressions.resolve(given, repositories, (source, names) =>
        verifiers.matchNames(source, names)
      )
      const scope = selectRepositories(query, repositories).slice(0, maxRepositories)
      const maxWaitMillis = Math.min(Duration.toMillis(options.deadline) / 2, maxIndexingMillis)
      const statuses = yield* indexer.statuses(scope, maxWaitMillis)
      const committed = yield* SearchTargets.resolve(query, statuses)
      const targets =
        options.searchesWorkTrees === true && query.revisions.length === 0
          ? yield* WorkTreeTargets.overlay(workTrees, committed, statuses)
          : committed
      return {
        found:
          targets.targets.length === 0
            ? Stream.empty
            : Stream.mapEffect(candidatesOf(query, targets, options), verify(query, targets, options)),
        isIncomplete: targets.isIncomplete,
        notes: [...(scope.length === 0 ? noRepository(repositories) : []), ...targets.notes]
      }
    })
  })
})
