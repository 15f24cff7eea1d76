/** Searches repositories by the code index of this process: finds candidates, and verifies the content. */
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { type CandidateBatch, CodeIndex, type IndexError } from "./CodeIndex.ts"
import { ContentSearchPool } from "./ContentSearchPool.ts"
import { Indexer, type IndexStatus } from "./Indexer.ts"
import type { Search, SearchBatch, SearchHit, SearchOptions, VerifiedFile } from "./SearchBatch.ts"
import * as SearchTargets from "./SearchTargets.ts"
import * as UnindexedSearch from "./UnindexedSearch.ts"
import * as WorkTreeTargets from "./worktree/WorkTreeTargets.ts"
import { WorkTrees } from "./worktree/WorkTrees.ts"

/**
 * Number of targets without an index that git lists at a time. Above this number, a search covers the indexed targets
 * first, so that the first hits do not wait for hundreds of git processes.
 */
const MAX_LISTED = 16

/**
 * Number of files that are verified at a time: few at first, so that results appear early, and later not so many that a
 * deadline would lose much.
 */
export const FIRST_VERIFIED = 16
export const MAX_VERIFIED = 128

/** Maximum milliseconds that a search waits for an update of the index that will be complete by then. */
const MAX_INDEXING_MILLIS = 1_000

/** A search in progress, by the code index of this process. */
export interface LocalResults extends Search {
  /** Revisions of the query that none of the repositories has. `notes` does not mention them. */
  readonly unknownRevisions: ReadonlyArray<string>
}

/** Starts a search like `RunSearch`. */
export type LocalSearch = (
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>,
  options: SearchOptions
) => Effect.Effect<LocalResults, IndexError>

/** Returns the results as those of the whole forge: the notes mention the unknown revisions. */
export const toSearch = ({ notes, unknownRevisions, ...started }: LocalResults): Search => ({
  ...started,
  notes: [...notes, ...unknownRevisions.map(SearchTargets.unknownRevision)]
})

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

/** Creates the search by the code index of this process. */
export const make = Effect.gen(function* () {
  const index = yield* CodeIndex
  const indexer = yield* Indexer
  const verifiers = yield* ContentSearchPool
  const workTrees = yield* WorkTrees

  /** Verifies the candidates of a batch. */
  const verify =
    (query: CodeQuery, targets: Targets, { order, show, withVerified = false }: SearchOptions) =>
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
        const matching = verified.flatMap(({ candidate, ...hit }): ReadonlyArray<MatchingCandidate> => {
          const file = candidates[candidate]
          const target = targets[file?.targets[0] ?? -1]
          if (file === undefined || target === undefined) return []
          const found: SearchHit = {
            ...hit,
            path: file.path,
            served: target.served,
            commit: target.commit,
            revisions: file.targets.flatMap((index) => targets[index]?.revision ?? []),
            isUncommitted: file.folder !== undefined
          }
          return [{ candidate, hit: found }]
        })
        const hits = matching.map(({ hit }) => hit)
        const found = {
          hits: order === "best" ? hits.sort((a, b) => b.rank - a.rank) : hits,
          ...(withVerified ? { verified: verifiedFiles(batch, targets, matching, rest) } : {}),
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
        return {
          found,
          rest: {
            candidates: rest.flatMap((at) => candidates[at] ?? []),
            keys: rest.map((at) => batch.keys?.[at] ?? 0),
            left: batch.left
          }
        }
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

  const search: LocalSearch = Effect.fn("LocalSearch.search")(function* (query, repositories, options) {
    const maxWaitMillis = Math.min(Duration.toMillis(options.deadline) / 2, MAX_INDEXING_MILLIS)
    const statuses = yield* indexer.statuses(repositories, maxWaitMillis)
    const committed = yield* SearchTargets.resolve(query, statuses)
    const { isIncomplete, notes, targets, unknownRevisions } =
      options.searchesWorkTrees === true && query.revisions.length === 0
        ? yield* WorkTreeTargets.overlay(workTrees, committed, statuses)
        : committed
    const progress = new Progress(partsOf(targets, statuses))
    return {
      found: searchParts(query, progress, options),
      isIncomplete,
      notes,
      unknownRevisions,
      unsearched: () => progress.unsearched()
    }
  })
  return search
})

/** A hit with the index of its candidate in the batch. */
interface MatchingCandidate {
  readonly candidate: number
  readonly hit: SearchHit
}

/** Returns the verified candidates of a batch, in their order. `rest`: indexes of those that were not verified. */
const verifiedFiles = (
  { candidates, keys }: CandidateBatch,
  targets: Targets,
  matching: ReadonlyArray<MatchingCandidate>,
  rest: ReadonlyArray<number>
): ReadonlyArray<VerifiedFile> => {
  const hits = new Map(matching.map(({ candidate, hit }) => [candidate, hit]))
  const waiting = new Set(rest)
  return candidates.flatMap((candidate, at): ReadonlyArray<VerifiedFile> => {
    const target = targets[candidate.targets[0]]
    if (target === undefined || waiting.has(at)) return []
    return [{ key: keys?.[at] ?? 0, served: target.served, hit: hits.get(at) }]
  })
}

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
  const { candidates, keys, left } = batch
  const parts: Array<CandidateBatch> = []
  for (let at = 0; at < candidates.length || at === 0;) {
    const end = at + (at === 0 ? size : MAX_VERIFIED)
    const rest = {
      candidates: candidates.slice(at, end),
      ...(keys === undefined ? {} : { keys: keys.slice(at, end) }),
      left: left + Math.max(0, candidates.length - end)
    }
    parts.push(at === 0 ? { ...batch, ...rest } : rest)
    at = end
  }
  return parts
}
