/**
 * Code search: what the index, or, where it has not come so far, git has for a query, looked at, and told as it is
 * found.
 */
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

/** Most repositories that one search looks at (spec part 3 §4.12). */
export const maxRepositories = 4_000

/** Milliseconds that a search takes at most unless it is told otherwise. */
const defaultDeadline = 4_000

/** The part of a search's time for which the index may be waited for. */
const indexShare = 0.5

/** A file that matches. */
export interface SearchHit
  extends Omit<ContentSearch.ContentHit, "candidate">, Pick<Candidate, "path" | "oid" | "size"> {
  readonly served: ServedRepository
  readonly commit: string
}

/** What was found next. */
export interface SearchBatch {
  /** The best first. */
  readonly hits: ReadonlyArray<SearchHit>
  /** Files that were looked at for it, and that are yet to be looked at. */
  readonly examined: number
  readonly remaining: number
  /** Whether something could not be looked at. The log says what, and why. */
  readonly isIncomplete?: boolean
}

export interface SearchOptions {
  readonly show: ContentSearch.ContentSearchInput["show"]
  readonly order: CandidateOrder
  /** Also ends the wait for the index. */
  readonly deadline: Duration.Duration
}

export interface Search {
  readonly found: Stream.Stream<SearchBatch, IndexError>
  /** Whether the index has an older commit of some repository, or has yet to look: what is found may be old. */
  readonly isBehind: boolean
  /** Whether the index has nothing yet of some repository: all its files are looked at, which takes long. */
  readonly isScanning: boolean
  /** Whether some repository cannot be looked at. */
  readonly isIncomplete: boolean
}

export class CodeSearch extends Context.Service<
  CodeSearch,
  {
    /** How long a search may take. */
    readonly deadline: Duration.Duration
    /** Looks through repositories that the caller may see. */
    readonly search: (
      query: CodeQuery,
      repositories: ReadonlyArray<ServedRepository>,
      options: SearchOptions
    ) => Effect.Effect<Search>
  }
>()("@tongs/service/search/CodeSearch") {
  /** With a deadline in milliseconds. */
  static readonly layer = (options: { readonly deadline?: number | undefined } = {}) =>
    Layer.effect(
      CodeSearch,
      Effect.suspend(() => make(Duration.millis(options.deadline ?? defaultDeadline)))
    )
}

/** The repositories that a query may find something in. */
export const selectRepositories = (
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>
): ReadonlyArray<ServedRepository> =>
  repositories.filter(({ fullName }) => admits(query.expression, fullName) !== false)

/** Whether a query lets a repository through; undefined where that depends on more. */
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

/** Stands for what could not be looked at. */
export const incompleteBatch: SearchBatch = { hits: [], examined: 0, remaining: 0, isIncomplete: true }

const make = Effect.fnUntraced(function* (deadline: Duration.Duration) {
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const verifiers = yield* ContentSearchPool

  /** Looks at the candidates of a batch. */
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
      // What is wrong with one repository keeps nobody from the others.
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
