import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { IndexError } from "../CodeIndex.ts"
import * as IdleWorker from "../workers/IdleWorker.ts"
import * as HistoryDatabase from "./HistoryDatabase.ts"
import * as CommitQuery from "../commits/CommitQuery.ts"
import type { WalkBatch, WalkStart } from "../commits/CommitWalk.ts"

/** Number of commits of the first batch of a walk, and of the largest one. Batches grow, so that the first is fast. */
interface BatchSizes {
  readonly first: number
  readonly growth: number
  readonly max: number
}

/** For queries whose commits git compares with their parents. */
const diffSizes: BatchSizes = { first: 32, growth: 2, max: 1_000 }

/** For queries on messages, people and dates only. */
const messageSizes: BatchSizes = { first: 500, growth: 8, max: 32_000 }

const sizesOf = ({ query: { query } }: WalkStart): BatchSizes =>
  query.kind === "commit" && !CommitQuery.hasFileConditions(query.expression) ? messageSizes : diffSizes

/**
 * `watch` checks `WATCH_SLICE` repositories at a time with `watchPause` in between, and all repositories again after
 * `watchInterval`. Searches read the commits that the index lacks, so the interval is long.
 */
const WATCH_SLICE = 20
const watchPause = Duration.millis(200)
const watchInterval = Duration.seconds(10)

/** Time without a change of the tip after which a failed build is repeated. */
const RETRY_MILLIS = 5 * 60_000

/**
 * Index of the changes of each commit: the terms of the added and removed lines. Selects the commits whose diffs a
 * search reads. Without an index of a repository, a walk gives all commits.
 */
export class HistoryIndex extends Context.Service<
  HistoryIndex,
  {
    /** Streams the commits that may match, newest first, in the order of `git log`. The last batch has no `end`. */
    walk(start: WalkStart): Stream.Stream<WalkBatch, IndexError>
    /** Builds the index of a default branch in the background, after the repositories that were requested before. */
    request(served: ServedRepository): Effect.Effect<void>
    /** Deletes the index of a repository. Only logs a failure, because unused files are deleted later. */
    forget(served: ServedRepository): Effect.Effect<void>
    /** Builds the indexes of the repositories and keeps them up to date until interrupted. */
    watch(repositories: Effect.Effect<ReadonlyArray<ServedRepository>>): Effect.Effect<never>
  }
>()("@tongs/service/search/history/HistoryIndex") {
  /** Layer with the files in a data folder. */
  static readonly layer = (data: string) =>
    Layer.effect(
      HistoryIndex,
      Effect.suspend(() => make(HistoryDatabase.folderIn(data)))
    )
}

const make = Effect.fnUntraced(function* (folder: string) {
  const reader = yield* IdleWorker.make("history", "30 seconds", { data: folder })
  const builder = yield* IdleWorker.make("history", "10 seconds", { data: folder })
  const requests = yield* Queue.unbounded<ServedRepository>()
  const waiting = new Set<string>()
  /** The last tip of each repository that was built or failed. */
  const attempts = new Map<string, { readonly tip: string; readonly isBuilt: boolean; readonly at: number }>()
  let walks = 0

  /** True if the index of a commit was built, or its build failed a short time ago. */
  const isAttempted = (gitDir: string, tip: string): boolean => {
    const last = attempts.get(gitDir)
    return last?.tip === tip && (last.isBuilt || performance.now() - last.at < RETRY_MILLIS)
  }

  const build = Effect.fnUntraced(function* ({ fullName, git: { gitDir, headOid, tip: readTip } }: ServedRepository) {
    waiting.delete(gitDir)
    // The index of the files reports a default branch that git cannot read.
    const tip =
      headOid() ??
      (yield* Effect.match(readTip, {
        onFailure: () => undefined,
        onSuccess: ({ ref }) => ref?.peeled ?? ref?.oid
      }))
    if (tip === undefined || isAttempted(gitDir, tip)) return
    const isBuilt = yield* Effect.scoped(
      Effect.flatMap(builder, (worker) => worker.call("build", { gitDir, tip }))
    ).pipe(
      Effect.catch(({ message }) =>
        Effect.as(Effect.logWarning(`The changes of ${fullName} are not indexed: ${message}`), false)
      )
    )
    attempts.set(gitDir, { tip, isBuilt, at: performance.now() })
  })

  yield* Queue.take(requests).pipe(
    // A failure in one repository must not stop the queue.
    Effect.flatMap((served) => Effect.catchCause(build(served), (cause) => Effect.logWarning(cause))),
    Effect.forever,
    Effect.forkScoped
  )

  const request = (served: ServedRepository) =>
    Effect.suspend(() => {
      const { gitDir, headOid } = served.git
      const tip = headOid()
      if (waiting.has(gitDir) || (tip !== undefined && isAttempted(gitDir, tip))) return Effect.void
      waiting.add(gitDir)
      return Effect.asVoid(Queue.offer(requests, served))
    })

  return HistoryIndex.of({
    walk: (start) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const worker = yield* reader
          const walk = ++walks
          // Ends the walk in the background, because a busy worker would delay the end of the search.
          yield* Effect.addFinalizer(() => Effect.forkDetach(Effect.ignore(worker.call("endWalk", { walk }))))
          yield* worker.call("beginWalk", { walk, start })
          const sizes = sizesOf(start)
          return Stream.paginate(sizes.first, (max) =>
            Effect.map(
              worker.call("nextCommits", { walk, max }),
              (batch) =>
                [
                  [batch],
                  batch.end === undefined ? Option.none<number>() : Option.some(Math.min(sizes.growth * max, sizes.max))
                ] as const
            )
          )
        })
      ),
    request,
    forget: Effect.fn("HistoryIndex.forget")(function* ({ fullName, git: { gitDir } }) {
      attempts.delete(gitDir)
      yield* Effect.scoped(Effect.flatMap(reader, (worker) => worker.call("forget", { gitDir }))).pipe(
        Effect.catch(({ message }) =>
          Effect.logWarning(`${fullName} is deleted, but the index of its history remains for now: ${message}`)
        )
      )
    }),
    watch: (repositories) =>
      Effect.gen(function* () {
        for (const slice of Arr.chunksOf(yield* repositories, WATCH_SLICE)) {
          yield* Effect.forEach(slice, request, { discard: true })
          yield* Effect.sleep(watchPause)
        }
        yield* Effect.sleep(watchInterval)
      }).pipe(Effect.forever)
  })
})
