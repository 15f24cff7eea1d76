/**
 * Keeps the index at the default branches. Git repositories change by other hands than ours, so whoever searches has
 * the tips compared first; what has moved is brought up to date, one repository after the other.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as ReadDeadline from "../git/ReadDeadline.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { CodeIndex, type IndexedRepository, type IndexProgress, type IndexState } from "./CodeIndex.ts"

/** What is known of a repository's place in the index. */
export interface IndexStatus extends IndexState {
  readonly served: ServedRepository
  /** The commit of the default branch; undefined where there is none, or nobody could look. */
  readonly tip: string | undefined
  /** Of one that `failed`, `problem` says why; its `commit` is null where the index or the repository is out of reach. */
  readonly phase: "empty" | "ready" | "waiting" | "indexing" | "failed"
  readonly problem: string | undefined
  /** While `indexing`. */
  readonly progress: IndexProgress | undefined
}

/** Repositories whose tips are compared each time; of more, each is believed for so many milliseconds. */
const fewRepositories = 50
const tipAge = 250

/** Repositories whose tips are compared before one search; of more, those that were not compared for longest. */
const maxCompared = 500

/** Whoever watches has other work when it begins, compares a few at a time, and all of them every few seconds. */
const watchDelay = Duration.seconds(3)
const watchSlice = 20
const watchPause = Duration.millis(100)
const watchInterval = Duration.seconds(2)

/** Milliseconds between two looks at how long a job will take. */
const waitStep = 100

/** Milliseconds after which a commit that could not be indexed is tried again. */
const retryAfter = 30_000

export class Indexer extends Context.Service<
  Indexer,
  {
    /**
     * Where the repositories stand. What is behind is brought up to date; that is waited for, unless it is known to
     * take longer than `maxWaitMillis` milliseconds.
     */
    statuses(
      repositories: ReadonlyArray<ServedRepository>,
      maxWaitMillis: number
    ): Effect.Effect<ReadonlyArray<IndexStatus>>
    /** Keeps the repositories up to date for as long as it runs. */
    watch(repositories: Effect.Effect<ReadonlyArray<ServedRepository>>): Effect.Effect<never>
  }
>()("@tongs/service/search/Indexer") {
  static readonly layer = Layer.effect(
    Indexer,
    Effect.suspend(() => make)
  )
}

interface Entry {
  served: ServedRepository
  state: IndexState | undefined
  tip: string | undefined
  comparedAt: number
  /** Why its tip cannot be looked at. */
  unseen: string | undefined
  /** Why it was not indexed. */
  failure: { readonly at: number; readonly tip: string | undefined; readonly problem: string } | undefined
  /** What was last said of it in the log: the same is not said again. */
  lastProblem: string | undefined
  job: { readonly done: Deferred.Deferred<void>; progress: IndexProgress | undefined; isRunning: boolean } | undefined
}

const indexedOf = ({ served: { fullName, git } }: Entry): IndexedRepository => ({ gitDir: git.gitDir, fullName })

const unread = (fullName: string, count: number): string =>
  `${fullName}: git cannot read ${NumberFormat.quantity(count, "file")}, which the index leaves out; git fsck tells more`

const nothing: IndexState = { commit: null, files: 0, size: 0, leftOut: 0, unreadable: 0 }

const make = Effect.gen(function* () {
  const index = yield* CodeIndex
  const entries = new Map<string, Entry>()
  const jobs = yield* Queue.unbounded<Entry>()
  /** Why the index cannot be read. */
  let broken: string | undefined

  const entryOf = (served: ServedRepository): Entry => {
    const { gitDir } = served.git
    const known = entries.get(gitDir)
    if (known !== undefined) {
      known.served = served
      return known
    }
    const made: Entry = {
      served,
      state: undefined,
      tip: undefined,
      comparedAt: Number.NEGATIVE_INFINITY,
      unseen: undefined,
      failure: undefined,
      lastProblem: undefined,
      job: undefined
    }
    entries.set(gitDir, made)
    return made
  }

  const readStates = Effect.fnUntraced(function* (stale: ReadonlyArray<Entry>) {
    if (stale.length === 0) return
    const states = yield* index.states(stale.map(indexedOf))
    for (const [at, entry] of stale.entries()) entry.state = states[at] ?? nothing
  })

  /** Without the index, repositories can still be compared, and searched by git. */
  const tryStates = (stale: ReadonlyArray<Entry>) =>
    Effect.matchEffect(readStates(stale), {
      onSuccess: () =>
        Effect.sync(() => {
          if (stale.length > 0) broken = undefined
        }),
      onFailure: Effect.fnUntraced(function* ({ message }) {
        const isNew = broken !== message
        broken = message
        if (isNew) yield* Effect.logError(`${message}; until it works again, searches look at every file`)
      })
    })

  const warn = (entry: Entry, message: string) =>
    Effect.suspend(() => {
      if (entry.lastProblem === message) return Effect.void
      entry.lastProblem = message
      return Effect.logWarning(message)
    })

  const run = Effect.fnUntraced(function* (entry: Entry) {
    const { job, tip } = entry
    if (job === undefined) return
    if (tip !== undefined) {
      job.isRunning = true
      const onProgress = (progress: IndexProgress) => {
        job.progress = progress
      }
      yield* index.apply({ repository: indexedOf(entry), commit: tip }, onProgress).pipe(
        Effect.andThen(readStates([entry])),
        Effect.andThen(succeeded(entry)),
        Effect.catch((error) => failed(entry, tip, error.message)),
        // Whatever went wrong with one, the others are to have their turn.
        Effect.catchDefect((defect) => failed(entry, tip, String(defect)))
      )
    }
    entry.job = undefined
    yield* Deferred.succeed(job.done, undefined)
  })

  const succeeded = (entry: Entry) =>
    Effect.suspend(() => {
      entry.failure = undefined
      const { unreadable = 0 } = entry.state ?? {}
      if (unreadable > 0) return warn(entry, unread(entry.served.fullName, unreadable))
      entry.lastProblem = undefined
      return Effect.void
    })

  const failed = Effect.fnUntraced(function* (entry: Entry, tip: string, problem: string) {
    entry.failure = { at: yield* Clock.currentTimeMillis, tip, problem }
    yield* warn(entry, `${entry.served.fullName} is not indexed: ${problem}`)
  })

  yield* Queue.take(jobs).pipe(Effect.flatMap(run), Effect.forever, Effect.forkScoped)

  /** Looks at the tip of a repository, and has it indexed where it has moved. */
  const compare = (now: number) => (entry: Entry) =>
    Effect.gen(function* () {
      entry.comparedAt = now
      const tip = yield* ReadDeadline.withDeadline(entry.served.git.resolve("HEAD"), ReadDeadline.searchDeadline)
      entry.tip = tip
      entry.unseen = undefined
      const { failure, job, state } = entry
      if (tip === undefined || state === undefined || broken !== undefined) return
      if (tip === state.commit || job !== undefined) return
      if (failure?.tip === tip && now - failure.at < retryAfter) return
      entry.job = { done: yield* Deferred.make<void>(), progress: undefined, isRunning: false }
      yield* Queue.offer(jobs, entry)
    }).pipe(
      Effect.catch(({ message }) => {
        entry.tip = undefined
        entry.unseen = message
        return warn(entry, `${entry.served.fullName} cannot be looked at: ${message}`)
      })
    )

  /** `watching`: what is known of the index is believed, so that the thread that reads it may rest. */
  const compareAll = Effect.fnUntraced(function* (all: ReadonlyArray<Entry>, watching: boolean) {
    const now = yield* Clock.currentTimeMillis
    const stale = all.length <= fewRepositories ? all : all.filter(({ comparedAt }) => now - comparedAt >= tipAge)
    const oldest =
      stale.length > maxCompared ? stale.toSorted((a, b) => a.comparedAt - b.comparedAt).slice(0, maxCompared) : stale
    // The index is looked at as well: other processes write it, or find that it is damaged.
    const again = new Set(watching && broken === undefined ? [] : oldest)
    yield* tryStates(all.filter((entry) => entry.state === undefined || again.has(entry)))
    yield* Effect.forEach(oldest, compare(now), { concurrency: 16, discard: true })
  })

  const wait = (all: ReadonlyArray<Entry>, maxWaitMillis: number) =>
    Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      while (true) {
        const left = maxWaitMillis - ((yield* Clock.currentTimeMillis) - begun)
        const [job] = all.flatMap((entry) => entry.job ?? [])
        if (job === undefined || left <= 0 || (job.progress?.remaining ?? 0) > left) return
        yield* Effect.timeoutOption(Deferred.await(job.done), Duration.millis(Math.min(left, waitStep)))
      }
    })

  const status = (entry: Entry): IndexStatus => {
    const { failure, served, job, state = nothing, tip, unseen } = entry
    const known = { ...state, served, tip, problem: undefined, progress: undefined }
    const outOfReach = unseen ?? broken
    if (outOfReach !== undefined) return { ...known, commit: null, phase: "failed", problem: outOfReach }
    if (job !== undefined && tip !== state.commit)
      return job.isRunning ? { ...known, phase: "indexing", progress: job.progress } : { ...known, phase: "waiting" }
    // Of very many, some are yet to be compared for the first time.
    if (entry.comparedAt === Number.NEGATIVE_INFINITY) return { ...known, phase: "waiting" }
    if (tip === undefined) return { ...known, phase: "empty" }
    return tip === state.commit
      ? { ...known, phase: "ready" }
      : { ...known, phase: "failed", problem: failure?.problem }
  }

  const statuses = Effect.fn("Indexer.statuses")(function* (
    repositories: ReadonlyArray<ServedRepository>,
    maxWaitMillis: number
  ) {
    const all = repositories.map(entryOf)
    yield* compareAll(all, false)
    yield* wait(all, maxWaitMillis)
    return all.map(status)
  })

  return Indexer.of({
    statuses,
    watch: (repositories) =>
      Effect.gen(function* () {
        for (const slice of Arr.chunksOf(yield* repositories, watchSlice)) {
          yield* compareAll(slice.map(entryOf), true)
          yield* Effect.sleep(watchPause)
        }
        yield* Effect.sleep(watchInterval)
      }).pipe(Effect.forever, Effect.delay(watchDelay))
  })
})
