import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { CodeQuery, Expression } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { type CandidateBatch, type Candidate, CodeIndex, type IndexError, type CandidateOrder } from "./CodeIndex.ts"
import * as FileFilter from "./FileFilter.ts"
import { Indexer, type IndexStatus } from "./Indexer.ts"
import * as UnindexedSearch from "./UnindexedSearch.ts"
import type * as ContentSearch from "./ContentSearch.ts"
import { ContentSearchPool } from "./ContentSearchPool.ts"

/** Maximum number of repositories per search (spec part 3 §4.12). */
export const maxRepositories = 4_000

/** Default deadline of a search in milliseconds. */
const defaultDeadline = 4_000

/** Share of the deadline for waiting until the index is up to date. */
const indexShare = 0.5

/** A file that matches a query. */
export interface SearchHit
  extends Omit<ContentSearch.ContentHit, "candidate">, Pick<Candidate, "path" | "oid" | "size"> {
  readonly served: ServedRepository
  readonly commit: string
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
}

/** Options of a search. */
export interface SearchOptions {
  readonly show: ContentSearch.ContentSearchInput["show"]
  readonly order: CandidateOrder
  /** Time limit of the whole search. At most half of it is spent on indexing. The caller ends `found` at the deadline. */
  readonly deadline: Duration.Duration
}

/** A search in progress. */
export interface Search {
  readonly found: Stream.Stream<SearchBatch, IndexError>
  /** True if the index has an older commit of a repository or has not checked one yet, so results can be out of date. */
  readonly isBehind: boolean
  /** True if a repository is not indexed, so the search reads all its files, which is slow. */
  readonly isScanning: boolean
  /** True if a repository cannot be searched. */
  readonly isIncomplete: boolean
}

/** Code search: finds candidates with the index, or with git for repositories that are not indexed, and verifies them. */
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
    ) => Effect.Effect<Search>
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

/** Empty batch that marks the results as incomplete. */
export const incompleteBatch: SearchBatch = { hits: [], examined: 0, remaining: 0, isIncomplete: true }

const make = Effect.fnUntraced(function* (deadline: Duration.Duration) {
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const verifiers = yield* ContentSearchPool

  const look = (query: CodeQuery, statuses: ReadonlyMap<string, IndexStatus>, { order, show }: SearchOptions) =>
    Effect.fnUntraced(function* ({ candidates, left }: CandidateBatch) {
      const named = candidates.flatMap((candidate) => {
        const fullName = statuses.get(candidate.gitDir)?.served.fullName
        return fullName === undefined ? [] : [{ ...candidate, fullName }]
      })
      const { hits: verified, problem } = yield* verifiers.verify({ query, candidates: named, show })
      if (problem !== undefined) yield* Effect.logError(problem)
      const hits = verified.flatMap(({ candidate, ...hit }): ReadonlyArray<SearchHit> => {
        const file = named[candidate]
        const status = file === undefined ? undefined : statuses.get(file.gitDir)
        if (file === undefined || status === undefined) return []
        const commit = status.commit ?? status.tip ?? ""
        return [{ ...hit, path: file.path, oid: file.oid, size: file.size, served: status.served, commit }]
      })
      return {
        hits: order === "best" ? hits.sort((a, b) => b.rank - a.rank) : hits,
        examined: candidates.length,
        remaining: left,
        isIncomplete: problem !== undefined
      } satisfies SearchBatch
    })

  return CodeSearch.of({
    deadline,
    search: Effect.fn("CodeSearch.search")(function* (query, repositories, options) {
      const scope = selectRepositories(query, repositories).slice(0, maxRepositories)
      const maxWaitMillis = Duration.toMillis(options.deadline) * indexShare
      const statuses = yield* indexer.statuses(scope, maxWaitMillis)
      const byFolder = new Map(statuses.map((one) => [one.served.git.gitDir, one]))
      const indexed = statuses.filter(({ commit }) => commit !== null)
      const missing = statuses.filter(({ commit, tip }) => commit === null && tip !== undefined)
      const fromIndex = index.candidates(
        query,
        indexed.map(({ served }) => ({ gitDir: served.git.gitDir, fullName: served.fullName })),
        options.order
      )
      const lookAt = look(query, byFolder, options)
      // A failure in one repository does not stop the search of the others.
      const fromGit = missing.map(({ served, tip = "" }) =>
        UnindexedSearch.candidates(query, served, tip).pipe(
          Stream.mapEffect(lookAt),
          Stream.catchTag("GitError", ({ message }) =>
            Stream.fromEffect(
              Effect.as(Effect.logError(`${served.fullName} cannot be searched: ${message}`), incompleteBatch)
            )
          )
        )
      )
      const parts: ReadonlyArray<Stream.Stream<SearchBatch, IndexError>> = [
        ...(indexed.length === 0 ? [] : [Stream.mapEffect(fromIndex, lookAt)]),
        ...fromGit
      ]
      return {
        found: Stream.flatten(Stream.fromIterable(parts)),
        isBehind: statuses.some(
          ({ commit, phase, tip }) => (commit !== null && commit !== tip) || (phase === "waiting" && tip === undefined)
        ),
        isScanning: missing.length > 0,
        isIncomplete: statuses.some(({ phase, tip }) => phase === "failed" && tip === undefined)
      }
    })
  })
})
