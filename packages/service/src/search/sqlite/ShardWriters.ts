import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import * as KeyedSemaphore from "../../base/KeyedSemaphore.ts"
import type { IndexChange, IndexError, IndexProgress } from "../CodeIndex.ts"
import * as IdleWorker from "../workers/IdleWorker.ts"
import type { SearchWorker } from "../workers/SearchWorker.ts"

/** Time after the last update of a shard until its maintenance, so that pushes and searches do not wait for it. */
const MAINTENANCE_DELAY = "1 second"

/** Number of shards that are written at the same time. */
export const WRITERS = 2

/** Creates the threads that write shards: several shards at a time, but each by one thread. */
export const make = Effect.fnUntraced(function* (data: string) {
  const idle = yield* Effect.forEach(Array.from({ length: WRITERS }), () =>
    IdleWorker.make("writer", "10 seconds", { data })
  )
  const permits = yield* Semaphore.make(WRITERS)
  const locks = KeyedSemaphore.make(1)
  /** Interrupts refinement for an update. */
  const updates = yield* Queue.sliding<void>(1)

  const maintenance = yield* FiberMap.make<number>()

  const withWriter = <A>(use: (thread: SearchWorker<"writer">) => Effect.Effect<A, IndexError>) =>
    permits.withPermit(
      Effect.acquireUseRelease(
        Effect.sync(() => idle.pop()),
        (writer) => Effect.scoped(Effect.flatMap(writer ?? Effect.die("no idle writer"), use)),
        (writer) => Effect.sync(() => writer !== undefined && idle.push(writer))
      )
    )
  const withShard = <A>(shard: number, use: (thread: SearchWorker<"writer">) => Effect.Effect<A, IndexError>) =>
    locks.withPermit(String(shard))(withWriter(use))
  const interrupting = <A>(effect: Effect.Effect<A, IndexError>) =>
    Effect.andThen(Queue.offer(updates, undefined), effect)

  /** Maintains a shard later, also after a failed update, which can have written a part. */
  const maintainLater = (shard: number) =>
    withShard(shard, (thread) => thread.call("maintain", { shard })).pipe(
      Effect.delay(MAINTENANCE_DELAY),
      Effect.catch(({ message }) => Effect.logWarning(`shard ${shard} of the index was not maintained: ${message}`)),
      (effect) => FiberMap.run(maintenance, shard, effect)
    )

  return {
    /** Returns the size of a repository at a commit in bytes, and whether the repository borrows objects. */
    measure: ({ commit, repository: { gitDir } }: IndexChange) =>
      interrupting(withWriter((thread) => thread.call("measure", { gitDir, commit }))),

    /** Returns the first other repository that shares objects with a repository. */
    findSharing: (gitDir: string, others: ReadonlyArray<string>) =>
      withWriter((thread) => thread.call("findSharing", { gitDir, others })).pipe(
        Effect.map((at) => (at === undefined ? undefined : others[at]))
      ),

    apply: (
      shard: number,
      { commit, pinned, repository: { gitDir } }: IndexChange,
      onProgress: (progress: IndexProgress) => void
    ) =>
      FiberMap.remove(maintenance, shard).pipe(
        Effect.andThen(
          interrupting(
            withShard(shard, (thread) => thread.call("apply", { shard, gitDir, commit, pinned }, onProgress))
          )
        ),
        Effect.ensuring(maintainLater(shard))
      ),

    forget: (shard: number, gitDir: string) =>
      interrupting(withShard(shard, (thread) => thread.call("forget", { shard, gitDir }))),

    /** Refines the symbols of a shard until an update waits. */
    refine: Effect.fnUntraced(function* (shard: number, millis: number) {
      yield* Queue.clear(updates)
      yield* Effect.raceFirst(
        Effect.asVoid(withShard(shard, (thread) => thread.call("refine", { shard, millis }))),
        Queue.take(updates)
      )
    })
  }
})
