import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CodeQuery, Expression, Filter } from "@tongs/core/query/CodeQuery"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { LruCache } from "../base/LruCache.ts"
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

/** Default deadline of a search in milliseconds. */
const DEFAULT_DEADLINE = 4_000

/**
 * Number of targets without an index that git lists at a time. Above this number, a search covers the indexed targets
 * first, so that the first hits do not wait for hundreds of git processes.
 */
const MAX_LISTED = 16

/**
 * Number of files that are verified at a time: few at first, so that results appear early, and later not so many that a
 * deadline would lose much.
 */
const FIRST_VERIFIED = 16
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
    /** Starts a search of the given repositories. Does not check access. */
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
): ReadonlyArray<ServedRepository> => {
  const key = admissionKey(query.expression)
  if (key === undefined) return repositories
  const known = selections.get(repositories) ?? new LruCache(MAX_SELECTED)
  selections.set(repositories, known)
  const selected = known.get(key)
  if (selected !== undefined) return selected
  const admits = compileAdmission(query.expression) ?? depends
  const made = repositories.filter(({ fullName }) => admits(fullName) !== false)
  // The same array for each search, so that what is computed for the array is computed once.
  const all = made.length === repositories.length ? repositories : made
  known.set(key, all, made.length + key.length + 1)
  return all
}

/** Maximum weight of the selections from one array of repositories: their repositories, and characters of the filters. */
const MAX_SELECTED = 50_000

/** Selections from arrays of repositories, by the filters of the query. */
const selections = new WeakMap<ReadonlyArray<ServedRepository>, LruCache<ReadonlyArray<ServedRepository>>>()

/** Prints the filters for repositories. Undefined if the expression has none. */
const admissionKey = (self: Expression): string | undefined => {
  switch (self._tag) {
    case "And":
    case "Or": {
      const parts = (self._tag === "And" ? self.all : self.any).map(admissionKey)
      const isFilter = parts.length === 0 || parts.some((part) => part !== undefined)
      return isFilter ? `${self._tag}(${parts.map((part) => part ?? "").join(" ")})` : undefined
    }
    case "Not": {
      const part = admissionKey(self.not)
      return part === undefined ? undefined : `Not(${part})`
    }
    case "Filter": {
      const { filter } = self
      return isRepositoryFilter(filter) ? JSON.stringify(filter) : undefined
    }
    default:
      return undefined
  }
}

/** Returns true if a query admits all files of a repository, false if none, undefined if that depends on the file. */
type Admission = (fullName: string) => boolean | undefined

const depends: Admission = () => undefined

/** Compiles the filters for repositories. Undefined if the expression has none. */
const compileAdmission = (self: Expression): Admission | undefined => {
  switch (self._tag) {
    case "And":
      return combineAdmissions(self.all, false)
    case "Or":
      return combineAdmissions(self.any, true)
    case "Not": {
      const admits = compileAdmission(self.not)
      if (admits === undefined) return undefined
      return (fullName) => {
        const is = admits(fullName)
        return is === undefined ? undefined : !is
      }
    }
    case "Filter": {
      if (!isRepositoryFilter(self.filter)) return undefined
      const admits = FileFilter.make(self.filter)
      return (fullName) => admits({ fullName, path: "", size: 0 })
    }
    default:
      return undefined
  }
}

/** Combines parts: `decisive` if one part is `decisive`, the opposite if all parts are the opposite. */
const combineAdmissions = (parts: ReadonlyArray<Expression>, decisive: boolean): Admission | undefined => {
  const names = new Set<string>()
  const admissions: Array<Admission> = []
  let hasFilter = parts.length === 0
  for (const part of parts) {
    // A resolved expression can name thousands of repositories.
    if (decisive && part._tag === "Filter" && part.filter.name === "repo" && part.filter.match === undefined) {
      names.add(part.filter.value.toLowerCase())
      continue
    }
    const admits = compileAdmission(part)
    if (admits !== undefined) hasFilter = true
    admissions.push(admits ?? depends)
  }
  if (names.size > 0) admissions.unshift((fullName) => names.has(fullName.toLowerCase()))
  if (!hasFilter && names.size === 0) return undefined
  return (fullName) => {
    let result: boolean | undefined = !decisive
    for (const admits of admissions) {
      const is = admits(fullName)
      if (is === decisive) return decisive
      if (is === undefined) result = undefined
    }
    return result
  }
}

const isRepositoryFilter = ({ name }: Filter) => name === "repo" || name === "user" || name === "org"

/** Removes the conditions that all files of the selected repositories fulfil, so that they are not tested again. */
const withoutRepositoryFilters = (query: CodeQuery): CodeQuery => {
  const { expression } = query
  if (expression._tag !== "And") return query
  const all = expression.all.filter((part) => !hasOnlyRepositoryFilters(part))
  return all.length === 0 ? query : { ...query, expression: { ...expression, all } }
}

const hasOnlyRepositoryFilters = (self: Expression): boolean => {
  switch (self._tag) {
    case "And":
      return self.all.every(hasOnlyRepositoryFilters)
    case "Or":
      return self.any.every(hasOnlyRepositoryFilters)
    case "Not":
      return hasOnlyRepositoryFilters(self.not)
    default:
      return self._tag === "Filter" && isRepositoryFilter(self.filter)
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

type Targets = ReadonlyArray<SearchTargets.RevisionTarget>

/** Divides targets into parts to search one after the other: targets with an indexed commit, then the rest. */
const divide = (targets: Targets, statuses: ReadonlyArray<IndexStatus>): ReadonlyArray<Targets> => {
  const indexed = new Map(statuses.map(({ commit, served }) => [served.git.gitDir, commit]))
  const isIndexed = ({ commit, gitDir }: SearchTargets.RevisionTarget) => indexed.get(gitDir) === commit
  const others = targets.filter((target) => !isIndexed(target))
  if (others.length <= MAX_LISTED) return targets.length === 0 ? [] : [targets]
  const ready = targets.filter(isIndexed)
  return [...(ready.length === 0 ? [] : [ready]), ...Arr.chunksOf(others, MAX_LISTED)]
}

/** Parts of targets, which searches of the same repositories share while no status changes. */
const parts = new WeakMap<
  Targets,
  { readonly statuses: ReadonlyArray<IndexStatus>; readonly parts: ReadonlyArray<Targets> }
>()

const partsOf = (targets: Targets, statuses: ReadonlyArray<IndexStatus>): ReadonlyArray<Targets> => {
  const known = parts.get(targets)
  if (known?.statuses === statuses) return known.parts
  const made = divide(targets, statuses)
  parts.set(targets, { statuses, parts: made })
  return made
}

/** Parts of a search, with the number of the parts whose files were listed. */
class Progress {
  readonly parts: ReadonlyArray<Targets>
  #listed = 0
  #waiting: number

  constructor(parts: ReadonlyArray<Targets>) {
    this.parts = parts
    this.#waiting = parts.reduce((sum, part) => sum + part.length, 0)
  }

  /** Notes that the files of the part with this index are listed. Returns the number of targets in later parts. */
  list(index: number): number {
    for (; this.#listed <= index; this.#listed++) this.#waiting -= this.parts[this.#listed]?.length ?? 0
    return this.#waiting
  }

  /** Returns the names of the repositories whose files are not listed. */
  unsearched(): ReadonlyArray<string> {
    return [...new Set(this.parts.slice(this.#listed).flatMap((part) => part.map(({ fullName }) => fullName)))]
  }
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
    (query: CodeQuery, targets: Targets, { order, show }: SearchOptions) =>
    (batch: CandidateBatch): Effect.Effect<Verified, IndexError> =>
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
        const { cut, hits: verified, problem, rest } = yield* verifiers.verify({ query, candidates, show })
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
        const found = {
          hits: order === "best" ? hits.sort((a, b) => b.rank - a.rank) : hits,
          examined: batch.candidates.length - rest.length,
          remaining: batch.left + rest.length,
          isIncomplete:
            batch.isIncomplete === true || problem !== undefined || cut.length > 0 || (batch.failed ?? []).length > 0,
          notes: [
            ...(batch.notes ?? []),
            ...cut.map((at) => `${candidates[at]?.path} has too many matching lines. Only the first ones are shown.`)
          ]
        } satisfies SearchBatch
        if (rest.length === 0) return { found }
        return { found, rest: { candidates: rest.flatMap((at) => candidates[at] ?? []), left: batch.left } }
      })

  /**
   * Searches file by file while the index cannot be read. After a failure in one repository, continues with the next.
   */
  const withoutIndex = (query: CodeQuery, targets: Targets) =>
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

  const candidatesOf = (query: CodeQuery, targets: Targets, { order }: SearchOptions) => {
    let isStarted = false
    return index.candidates(query, targets, order).pipe(
      Stream.tap(() => Effect.sync(() => (isStarted = true))),
      Stream.catchTag("IndexError", (error) => (isStarted ? Stream.fail(error) : withoutIndex(query, targets)))
    )
  }

  /** Searches the parts one after the other. */
  const searchParts = (query: CodeQuery, progress: Progress, options: SearchOptions) =>
    Stream.suspend(() => {
      let size = FIRST_VERIFIED
      return Stream.fromIterable(progress.parts.entries()).pipe(
        Stream.flatMap(([index, part]) =>
          candidatesOf(query, part, options).pipe(
            Stream.flatMap((batch) => {
              const parts = divideBatch({ ...batch, left: batch.left + progress.list(index) }, size)
              if (batch.candidates.length > 0) size = MAX_VERIFIED
              return Stream.fromIterable(parts)
            }),
            Stream.mapEffect(verify(query, part, options), { concurrency: 2 }),
            Stream.flatMap(({ found, rest }) =>
              rest === undefined
                ? Stream.succeed(found)
                : Stream.concat(Stream.succeed(found), verifyRest(rest, verify(query, part, options)))
            )
          )
        )
      )
    })

  return CodeSearch.of({
    deadline,
    search: Effect.fn("CodeSearch.search")(function* (given, repositories, options) {
      const resolved = yield* RepositoryExpressions.resolve(given, repositories, (source, names) =>
        verifiers.matchNames(source, names)
      )
      const scope = selectRepositories(resolved, repositories)
      const query = withoutRepositoryFilters(resolved)
      const maxWaitMillis = Math.min(Duration.toMillis(options.deadline) / 2, MAX_INDEXING_MILLIS)
      const statuses = yield* indexer.statuses(scope, maxWaitMillis)
      const committed = yield* SearchTargets.resolve(query, statuses)
      const targets =
        options.searchesWorkTrees === true && query.revisions.length === 0
          ? yield* WorkTreeTargets.overlay(workTrees, committed, statuses)
          : committed
      const progress = new Progress(partsOf(targets.targets, statuses))
      return {
        found: searchParts(query, progress, options),
        isIncomplete: targets.isIncomplete,
        notes: [
          ...(scope.length === 0 ? noRepository(repositories) : []),
          ...similarLanguages(query.expression),
          ...targets.notes
        ],
        unsearched: () => progress.unsearched()
      }
    })
  })
})

/** The results of a batch, with the candidates that are still to verify. */
interface Verified {
  readonly found: SearchBatch
  readonly rest?: CandidateBatch
}

/** Verifies the candidates that a part of a search has left, several times if each call leaves some. */
const verifyRest = <E>(rest: CandidateBatch, verify: (batch: CandidateBatch) => Effect.Effect<Verified, E>) =>
  Stream.paginate(rest, (batch) =>
    Effect.map(verify(batch), ({ found, rest }) => [[found], Option.fromUndefinedOr(rest)] as const)
  )

/** Divides a batch into parts to verify. The first part has `size` files, the failures and the notes. */
const divideBatch = (batch: CandidateBatch, size: number): ReadonlyArray<CandidateBatch> => {
  const { candidates, left } = batch
  const parts: Array<CandidateBatch> = []
  for (let at = 0; at < candidates.length || at === 0;) {
    const end = at + (at === 0 ? size : MAX_VERIFIED)
    const rest = { candidates: candidates.slice(at, end), left: left + Math.max(0, candidates.length - end) }
    parts.push(at === 0 ? { ...batch, ...rest } : rest)
    at = end
  }
  return parts
}
