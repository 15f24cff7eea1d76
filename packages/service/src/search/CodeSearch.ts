import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { CodeQuery, Expression } from "@tongs/core/query/CodeQuery"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as Languages from "../git/values/Languages.ts"
import { type CandidateBatch, type Candidate, CodeIndex, type IndexError, type CandidateOrder } from "./CodeIndex.ts"
import * as FileFilter from "./FileFilter.ts"
import { Indexer, type IndexStatus } from "./Indexer.ts"
import * as RepositoryExpressions from "./RepositoryExpressions.ts"
import * as SearchTargets from "./SearchTargets.ts"
import * as UnindexedSearch from "./UnindexedSearch.ts"
import type * as ContentSearch from "./ContentSearch.ts"
import { ContentSearchPool } from "./ContentSearchPool.ts"
import { WorkTrees } from "./worktree/WorkTrees.ts"
import * as WorkTreeTargets from "./worktree/WorkTreeTargets.ts"

/** Maximum number of repositories per search, as the API documents. */
export const MAX_REPOSITORIES = 4_000

/** Default deadline of a search in milliseconds. */
const DEFAULT_DEADLINE = 4_000

/**
 * Number of targets without an index that git lists at a time. Above this number, a search covers the indexed targets
 * first, so that the first hits do not wait for hundreds of git processes.
 */
const MAX_LISTED = 16

/** Number of files that are verified at a time, so that a deadline loses few verified files. */
const MAX_VERIFIED = 128

/** Maximum milliseconds that a search waits for an update of the index that will be complete by then. */
const MAX_INDEXING_MILLIS = 1_000

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

export interface SearchOptions {
  readonly show: ContentSearch.ContentSearchInput["show"]
  readonly order: CandidateOrder
  /** Searches work trees instead of the checked-out commits. The caller checks the permission. */
  readonly searchesWorkTrees?: boolean
  /** Time limit of the whole search. The caller ends `found` at the deadline. */
  readonly deadline: Duration.Duration
}

/** A search in progress. */
export interface Search {
  readonly found: Stream.Stream<SearchBatch, IndexError>
  /** True if a repository cannot be searched. */
  readonly isIncomplete: boolean
  /** True if there are more repositories than `MAX_REPOSITORIES`. */
  readonly isCut?: boolean
  /** Sentences for the user about the searched commits, for example about a revision that no repository has. */
  readonly notes: ReadonlyArray<string>
  /** Returns the names of the repositories whose files the search has not listed so far. */
  readonly unsearched: () => ReadonlyArray<string>
}

/** Code search: finds candidates with the index, and verifies the content. */
export class CodeSearch extends Context.Service<
  CodeSearch,
  {
    /** Configured time limit of a search. */
    readonly deadline: Duration.Duration
    /** Starts a search of the given repositories, of at most `MAX_REPOSITORIES`. Does not check access. */
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
      Effect.suspend(() => make(Duration.millis(options.deadline ?? DEFAULT_DEADLINE)))
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
const MAX_NAMED = 5

/** Returns the first names, and the number of the remaining ones. */
export const nameSome = (names: ReadonlyArray<string>): string => {
  const more = names.length - MAX_NAMED
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${NumberFormat.format(more)} more` : names.join(", ")
}

/** Explains that no repository has the names of the query. Names only the given ones, which the caller can read. */
const noRepository = (repositories: ReadonlyArray<ServedRepository>): ReadonlyArray<string> => {
  if (repositories.length === 0) return ["There is no repository that you can read."]
  const all = nameSome(repositories.map(({ fullName }) => `repo:${fullName}`))
  return [`No repository matches repo:, user: and org: of the query. Searchable: ${all}.`]
}

/** Returns known languages with names similar to unknown languages of a query. */
const similarLanguages = (self: Expression): ReadonlyArray<string> => {
  switch (self._tag) {
    case "And":
      return self.all.flatMap(similarLanguages)
    case "Or":
      return self.any.flatMap(similarLanguages)
    case "Not":
      return similarLanguages(self.not)
    case "Filter": {
      if (self.filter.name !== "language") return []
      const { value } = self.filter
      const similar = Languages.similarLanguage(value)
      return similar === undefined ? [] : [`No language is called ${value}. Write language:${similar}.`]
    }
    default:
      return []
  }
}

/** Explains that a search covers only the first repositories. `others` are not searched. */
export const tooMany = (others: ReadonlyArray<ServedRepository>): ReadonlyArray<string> =>
  others.length === 0
    ? []
    : [
        `A search covers at most ${NumberFormat.format(MAX_REPOSITORIES)} repositories, so these were not searched: ` +
          `${nameSome(others.map(({ fullName }) => fullName))}. Name repositories with repo: or user:.`
      ]

/** Divides targets into two parts to search one after the other: targets with an indexed commit, then the rest. */
const partsOf = (
  targets: ReadonlyArray<SearchTargets.RevisionTarget>,
  statuses: ReadonlyArray<IndexStatus>
): ReadonlyArray<ReadonlyArray<SearchTargets.RevisionTarget>> => {
  const indexed = new Map(statuses.map(({ commit, served }) => [served.git.gitDir, commit]))
  const isIndexed = ({ commit, gitDir }: SearchTargets.RevisionTarget) => indexed.get(gitDir) === commit
  const others = targets.filter((target) => !isIndexed(target))
  if (others.length <= MAX_LISTED) return targets.length === 0 ? [] : [targets]
  const ready = targets.filter(isIndexed)
  return [...(ready.length === 0 ? [] : [ready]), ...Arr.chunksOf(others, MAX_LISTED)]
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
    (query: CodeQuery, targets: ReadonlyArray<SearchTargets.RevisionTarget>, { order, show }: SearchOptions) =>
    (batch: CandidateBatch): Effect.Effect<SearchBatch, IndexError> =>
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

  /**
   * Searches file by file while the index cannot be read. After a failure in one repository, continues with the next.
   */
  const withoutIndex = (query: CodeQuery, targets: ReadonlyArray<SearchTargets.RevisionTarget>) =>
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

  const candidatesOf = (
    query: CodeQuery,
    targets: ReadonlyArray<SearchTargets.RevisionTarget>,
    { order }: SearchOptions
  ) => {
    let isStarted = false
    return index.candidates(query, targets, order).pipe(
      Stream.tap(() => Effect.sync(() => (isStarted = true))),
      Stream.catchTag("IndexError", (error) => (isStarted ? Stream.fail(error) : withoutIndex(query, targets)))
    )
  }

  /** Searches the parts one after the other. Removes the targets of a part from `waiting` after listing the files. */
  const searchParts = (
    query: CodeQuery,
    parts: ReadonlyArray<ReadonlyArray<SearchTargets.RevisionTarget>>,
    waiting: Set<SearchTargets.RevisionTarget>,
    options: SearchOptions
  ) =>
    Stream.fromIterable(parts).pipe(
      Stream.flatMap((part) =>
        candidatesOf(query, part, options).pipe(
          Stream.flatMap((batch) => {
            for (const target of part) waiting.delete(target)
            return Stream.fromIterable(slices({ ...batch, left: batch.left + waiting.size }))
          }),
          Stream.mapEffect(verify(query, part, options))
        )
      )
    )

  return CodeSearch.of({
    deadline,
    search: Effect.fn("CodeSearch.search")(function* (given, repositories, options) {
      const query = yield* RepositoryExpressions.resolve(given, repositories, (source, names) =>
        verifiers.matchNames(source, names)
      )
      const selected = selectRepositories(query, repositories)
      const scope = selected.slice(0, MAX_REPOSITORIES)
      const maxWaitMillis = Math.min(Duration.toMillis(options.deadline) / 2, MAX_INDEXING_MILLIS)
      const statuses = yield* indexer.statuses(scope, maxWaitMillis)
      const committed = yield* SearchTargets.resolve(query, statuses)
      const targets =
        options.searchesWorkTrees === true && query.revisions.length === 0
          ? yield* WorkTreeTargets.overlay(workTrees, committed, statuses)
          : committed
      const waiting = new Set(targets.targets)
      return {
        found: searchParts(query, partsOf(targets.targets, statuses), waiting, options),
        isIncomplete: targets.isIncomplete,
        isCut: selected.length > scope.length,
        notes: [
          ...(scope.length === 0 ? noRepository(repositories) : []),
          ...tooMany(selected.slice(MAX_REPOSITORIES)),
          ...similarLanguages(query.expression),
          ...targets.notes
        ],
        unsearched: () => [...new Set(Array.from(waiting, ({ fullName }) => fullName))]
      }
    })
  })
})

/** Divides a batch into parts of `MAX_VERIFIED` files. The first part has the failures and the notes. */
const slices = (batch: CandidateBatch): ReadonlyArray<CandidateBatch> => {
  const { candidates, left } = batch
  if (candidates.length <= MAX_VERIFIED) return [batch]
  return Arr.chunksOf(candidates, MAX_VERIFIED).map((part, at) => {
    const rest = { candidates: part, left: left + Math.max(0, candidates.length - (at + 1) * MAX_VERIFIED) }
    return at === 0 ? { ...batch, ...rest } : rest
  })
}
