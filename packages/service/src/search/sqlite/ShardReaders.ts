import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import * as Stream from "effect/Stream"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type {
  CandidateBatch,
  CandidateOrder,
  IndexedRepository,
  IndexedTree,
  IndexError,
  SearchTarget
} from "../CodeIndex.ts"
import * as IdleWorker from "../workers/IdleWorker.ts"
import type { SearchWorker } from "../workers/SearchWorker.ts"
import type { ReaderBatch, ShardState } from "../workers/WorkerMethods.ts"
import type { ShardCatalog } from "./ShardCatalog.ts"
import * as CandidateMerge from "./CandidateMerge.ts"
import { TargetNumbers } from "./TargetNumbers.ts"

/** Minimum and maximum number of reader threads. */
const MIN_READERS = 2
const MAX_READERS = 4

type Reader = SearchWorker<"reader">

/** Targets by reader and shard, as indexes, at a revision of the catalog. */
interface Division {
  readonly revision: number
  readonly parts: ReadonlyArray<{
    readonly reader: number
    readonly shards: ReadonlyMap<number, ReadonlyArray<number>>
    readonly targets: ReadonlyArray<number>
  }>
}

/**
 * Creates the threads that read the shards. One thread reads all of a shard, so that each shard is open once and cached
 * once.
 */
export const make = Effect.fnUntraced(function* (data: string) {
  const count = Math.min(Math.max(availableParallelism(), MIN_READERS), MAX_READERS)
  const readers = yield* Effect.forEach(Array.from({ length: count }), () =>
    IdleWorker.make("reader", "30 seconds", { data })
  )
  const numbers = new WeakMap<Reader, TargetNumbers>()
  let cursors = 0

  const withReader = <A>(reader: number, use: (thread: Reader) => Effect.Effect<A, IndexError>) =>
    Effect.scoped(Effect.flatMap(readers[reader] ?? Effect.die(`no reader ${reader}`), use))

  /** Returns the number of the reader of a shard. Targets without a shard are distributed by repository. */
  const readerOf = (shard: number, { gitDir }: Pick<IndexedRepository, "gitDir">) =>
    Math.abs(shard === 0 ? Hash.string(gitDir) : shard) % count

  /** Divisions of targets, which searches of the same repositories share until the shard of a repository changes. */
  const divisions = new WeakMap<ReadonlyArray<SearchTarget>, Division>()

  /** Divides targets by reader and shard. A repository that no shard has is in shard 0. */
  const divide = (targets: ReadonlyArray<SearchTarget>, catalog: ShardCatalog): Division => {
    const known = divisions.get(targets)
    if (known?.revision === catalog.revision) return known
    const parts = new Map<number, Map<number, Array<number>>>()
    for (const [at, target] of targets.entries()) {
      const shard = catalog.shardsOf(target.gitDir)[0] ?? 0
      const reader = readerOf(shard, target)
      let shards = parts.get(reader)
      if (shards === undefined) parts.set(reader, (shards = new Map()))
      const places = shards.get(shard)
      if (places === undefined) shards.set(shard, [at])
      else places.push(at)
    }
    const made = {
      revision: catalog.revision,
      parts: Array.from(parts, ([reader, shards]) => ({ reader, shards, targets: [...shards.values()].flat() }))
    }
    divisions.set(targets, made)
    return made
  }

  return {
    /** Streams the candidates in the targets. */
    candidates: (
      query: CodeQuery,
      targets: ReadonlyArray<SearchTarget>,
      order: CandidateOrder,
      catalog: ShardCatalog
    ): Stream.Stream<CandidateBatch, IndexError> =>
      Stream.unwrap(
        Effect.gen(function* () {
          const sources: Array<CandidateMerge.CandidateSource> = []
          for (const { reader, shards, targets: own } of divide(targets, catalog).parts) {
            const thread = yield* readers[reader] ?? Effect.die(`no reader ${reader}`)
            const cursor = ++cursors
            const known = numbers.get(thread) ?? new TargetNumbers()
            numbers.set(thread, known)
            let isOpen = true
            const read = (asked: Effect.Effect<ReaderBatch, IndexError>) =>
              Effect.tap(asked, ({ left }) => Effect.sync(() => (isOpen = left > 0)))
            // Closes the cursor in the background, because a busy worker would delay the end of the search.
            yield* Effect.addFinalizer(() =>
              isOpen ? Effect.forkDetach(Effect.ignore(thread.call("end", { cursor }))) : Effect.void
            )
            sources.push({
              begin: read(
                thread.callWith("begin", () => ({ cursor, query, order, ...known.message(targets, shards) }))
              ),
              next: read(thread.call("next", { cursor })),
              targets: own
            })
          }
          return CandidateMerge.merge(sources)
        })
      ),

    /** Reads the states of shards, except of those with a known version. */
    states: Effect.fnUntraced(function* (
      shards: Iterable<number>,
      versionOf: (shard: number) => string | undefined
    ): Effect.fn.Return<ReadonlyArray<ShardState>, IndexError> {
      const byReader = Map.groupBy(shards, (shard) => shard % count)
      const states = yield* Effect.forEach(
        byReader,
        ([reader, some]) =>
          withReader(reader, (thread) =>
            thread.callWith("states", () => ({ shards: some.map((shard) => ({ shard, version: versionOf(shard) })) }))
          ),
        { concurrency: "unbounded" }
      )
      return states.flat()
    }),

    languages: (shard: number, trees: ReadonlyArray<IndexedTree>) =>
      withReader(shard % count, (thread) => thread.call("languages", { shard, trees })),

    leftOut: (shard: number, repository: IndexedRepository, limit: number) =>
      withReader(shard % count, (thread) => thread.call("leftOut", { shard, repository, limit }))
  }
})
