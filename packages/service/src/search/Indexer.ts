import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Glob from "@tongs/core/text/Glob"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as ReadDeadline from "../git/values/ReadDeadline.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { CodeIndex, type IndexedRepository, type IndexProgress, type IndexState } from "./CodeIndex.ts"

/** Index status of a repository. */
export interface IndexStatus extends IndexState {
  readonly served: ServedRepository
  /** Newest commit of the default branch. Undefined if the repository is empty or git could not read the commit. */
  readonly tip: string | undefined
  /** Commits of the branches that the settings name. */
  readonly branches: ReadonlyArray<string>
  /** Phase of the indexing. In the phase `failed`, `commit` is the last indexed commit, or null if none was indexed. */
  readonly phase: "empty" | "ready" | "waiting" | "indexing" | "failed"
  /** Cause of the phase `failed`. */
  readonly problem: string | undefined
  /** Progress of the phase `indexing`. Undefined before the first report. */
  readonly progress: IndexProgress | undefined
}

/** With more repositories than `FEW_REPOSITORIES`, a tip is not checked again within `TIP_AGE` milliseconds. */
const FEW_REPOSITORIES = 50
const TIP_AGE = 250

/** Maximum number of branch tips to check before a search, the least recently checked first. */
const MAX_COMPARED = 500

/**
 * `watch` checks `WATCH_SLICE` repositories at a time with `watchPause` in between, and all repositories again after
 * `watchInterval`.
 */
const WATCH_SLICE = 20
const watchPause = Duration.millis(100)
const watchInterval = Duration.seconds(2)

/** Number of repositories updated at the same time. The index bounds how many of them are written. */
const CONCURRENT_UPDATES = 4

/** Milliseconds between checks of a job's estimated remaining time. */
const WAIT_STEP = 100

/** Milliseconds per call of symbol refinement, and milliseconds without a search before refinement begins. */
const REFINE_MILLIS = 2_000
const QUIET_MILLIS = 500

/** Pause before the next refinement while another process is writing. */
const refinePause = Duration.millis(20)

/** Milliseconds after which a failed commit is indexed again. */
const RETRY_AFTER = 30_000

/**
 * Keeps the index at the tips of the default branches, a few repositories at a time. Repositories can change outside the
 * service, so each search checks the tips first.
 */
export class Indexer extends Context.Service<
  Indexer,
  {
    /**
     * Checks the repositories, starts updates of outdated ones, and returns the status of all. Waits up to
     * `maxWaitMillis` milliseconds for the updates, but stops waiting if the estimated time exceeds the rest.
     */
    statuses(
      repositories: ReadonlyArray<ServedRepository>,
      maxWaitMillis: number
    ): Effect.Effect<ReadonlyArray<IndexStatus>>
    /**
     * Removes a deleted repository from the index, in the background, because the index may be busy with another
     * repository. Only logs a failure, because the index also detects a missing repository later.
     */
    forget(served: ServedRepository): Effect.Effect<void>
    /** Checks and updates the repositories periodically until interrupted. */
    watch(repositories: Effect.Effect<ReadonlyArray<ServedRepository>>): Effect.Effect<never>
  }
>()("@tongs/service/search/Indexer") {
  /** Layer that also indexes the branches that match patterns of `*`, `**`, `?` and `{a,b}`. */
  static readonly layer = (branches: ReadonlyArray<string> = []) =>
    Layer.effect(
      Indexer,
      Effect.suspend(() => make(branches))
    )
}

interface Entry {
  served: ServedRepository
  state: IndexState | undefined
  tip: string | undefined
  branches: ReadonlyArray<string>
  comparedAt: number
  /** Cause of the last failure to read the tip of the default branch. */
  unseen: string | undefined
  /** Last failure to index a commit. */
  failure: { readonly at: number; readonly tip: string | undefined; readonly problem: string } | undefined
  /** Last logged warning, so that the same warning is not logged twice in a row. */
  lastProblem: string | undefined
  job: { readonly done: Deferred.Deferred<void>; progress: IndexProgress | undefined; isRunning: boolean } | undefined
}

const indexedOf = ({ served: { fullName, git } }: Entry): IndexedRepository => ({ gitDir: git.gitDir, fullName })

const BRANCH_PREFIX = "refs/heads/"

/** True if the index has the tip of the default branch and the branches that the settings name. */
const isIndexed = ({ branches, state = nothing, tip }: Entry): boolean =>
  tip === state.commit && branches.join(" ") === state.pinned.join(" ")

const unread = (fullName: string, count: number): string =>
  `${fullName}: git cannot read ${NumberFormat.quantity(count, "file")}, so they are not searchable. Run git fsck for details`

const nothing: IndexState = {
  commit: null,
  pinned: [],
  files: 0,
  size: 0,
  leftOut: 0,
  unreadable: 0,
  impreciseSymbols: 0
}

/** Maximum number of indexed branches per repository, without the default branch. */
const MAX_BRANCHES = 100

const make = Effect.fnUntraced(function* (patterns: ReadonlyArray<string>) {
  const matchesPattern = Glob.compileAny(patterns, Glob.search)
  const index = yield* CodeIndex
  const scope = yield* Effect.scope
  const entries = new Map<string, Entry>()
  const jobs = yield* Queue.unbounded<Entry>()
  /** Wakes the fiber that refines symbols, and pauses refinement for a search. */
  const refinable = yield* Queue.sliding<void>(1)
  const searches = yield* Queue.sliding<void>(1)
  /** Cause of the last failure to read the index. */
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
      branches: [],
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
    if (states.some(({ impreciseSymbols }) => impreciseSymbols > 0)) yield* Queue.offer(refinable, undefined)
  })

  /** Reads the index states of repositories. Does not fail, because searches also work without the index. */
  const tryStates = (stale: ReadonlyArray<Entry>) =>
    Effect.matchEffect(readStates(stale), {
      onSuccess: () =>
        Effect.sync(() => {
          if (stale.length > 0) broken = undefined
        }),
      onFailure: Effect.fnUntraced(function* ({ message }) {
        const isNew = broken !== message
        broken = message
        if (isNew) yield* Effect.logError(`${message}. Searches read all files until the index works again`)
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
    // A deleted repository is not indexed again.
    if (tip !== undefined && entries.get(entry.served.git.gitDir) === entry) {
      job.isRunning = true
      const onProgress = (progress: IndexProgress) => {
        job.progress = progress
      }
      yield* index.apply({ repository: indexedOf(entry), commit: tip, pinned: entry.branches }, onProgress).pipe(
        Effect.andThen(readStates([entry])),
        Effect.andThen(succeeded(entry)),
        Effect.catch((error) => failed(entry, tip, error.message)),
        // A defect must not stop the queue of jobs.
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
    if (entries.get(entry.served.git.gitDir) !== entry) return
    yield* warn(entry, `${entry.served.fullName} is not indexed: ${problem}`)
  })

  yield* Queue.take(jobs).pipe(
    Effect.flatMap(run),
    Effect.forever,
    Effect.forkScoped,
    Effect.replicateEffect(CONCURRENT_UPDATES)
  )

  /** Refines symbols until none is left. Waits while searches run. */
  const refine: Effect.Effect<void> = Effect.gen(function* () {
    const quiet = yield* Effect.timeoutOption(Queue.take(searches), Duration.millis(QUIET_MILLIS))
    if (Option.isSome(quiet)) return yield* refine
    const left = yield* index.refine(REFINE_MILLIS).pipe(
      Effect.raceFirst(Effect.as(Queue.take(searches), 1)),
      Effect.catch(({ message }) => Effect.as(Effect.logWarning(message), 0))
    )
    if (left === 0) return
    yield* Effect.sleep(refinePause)
    yield* refine
  })

  yield* Queue.take(refinable).pipe(Effect.andThen(refine), Effect.forever, Effect.forkScoped)

  /** Returns the commits of the branches that the settings name, without that of the default branch. */
  const branchesOf = Effect.fnUntraced(function* ({ served: { git } }: Entry, tip: string) {
    if (patterns.length === 0) return []
    const refs = yield* ReadDeadline.withDeadline(git.refs(BRANCH_PREFIX), ReadDeadline.searchDeadline)
    const named = refs.filter(({ name }) => matchesPattern(name.slice(BRANCH_PREFIX.length)))
    const commits = new Set(named.slice(0, MAX_BRANCHES).map(({ oid }) => oid))
    return [...commits].filter((commit) => commit !== tip).sort()
  })

  /** Reads the tip of a repository, and queues a job if the index has another commit. */
  const compare = (now: number) => (entry: Entry) =>
    Effect.gen(function* () {
      entry.comparedAt = now
      const tip = yield* ReadDeadline.withDeadline(entry.served.git.resolve("HEAD"), ReadDeadline.searchDeadline)
      entry.tip = tip
      entry.branches = tip === undefined ? [] : yield* branchesOf(entry, tip)
      entry.unseen = undefined
      const { failure, job, state } = entry
      if (tip === undefined || state === undefined || broken !== undefined) return
      if (isIndexed(entry) || job !== undefined) return
      if (failure?.tip === tip && now - failure.at < RETRY_AFTER) return
      entry.job = { done: yield* Deferred.make<void>(), progress: undefined, isRunning: false }
      yield* Queue.offer(jobs, entry)
    }).pipe(
      Effect.catch(({ message }) => {
        entry.tip = undefined
        entry.unseen = message
        return warn(entry, `cannot read the default branch of ${entry.served.fullName}: ${message}`)
      })
    )

  /** Checks the tips of repositories. `watching` skips reads of known states, so that the reader can end when idle. */
  const compareAll = Effect.fnUntraced(function* (all: ReadonlyArray<Entry>, watching: boolean) {
    const now = yield* Clock.currentTimeMillis
    const stale = all.length <= FEW_REPOSITORIES ? all : all.filter(({ comparedAt }) => now - comparedAt >= TIP_AGE)
    const oldest =
      stale.length > MAX_COMPARED ? stale.toSorted((a, b) => a.comparedAt - b.comparedAt).slice(0, MAX_COMPARED) : stale
    // Reads the states again, because other processes can update or replace the index.
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
        yield* Effect.timeoutOption(Deferred.await(job.done), Duration.millis(Math.min(left, WAIT_STEP)))
      }
    })

  const status = (entry: Entry): IndexStatus => {
    const { failure, served, job, state = nothing, tip, unseen } = entry
    const known = { ...state, served, tip, branches: entry.branches, problem: undefined, progress: undefined }
    const outOfReach = unseen ?? broken
    if (outOfReach !== undefined) return { ...known, commit: null, phase: "failed", problem: outOfReach }
    if (job !== undefined && !isIndexed(entry))
      return job.isRunning ? { ...known, phase: "indexing", progress: job.progress } : { ...known, phase: "waiting" }
    // The tip was never checked, because `MAX_COMPARED` other repositories came first.
    if (entry.comparedAt === Number.NEGATIVE_INFINITY) return { ...known, phase: "waiting" }
    if (tip === undefined) return { ...known, phase: "empty" }
    return isIndexed(entry) ? { ...known, phase: "ready" } : { ...known, phase: "failed", problem: failure?.problem }
  }

  const statuses = Effect.fn("Indexer.statuses")(function* (
    repositories: ReadonlyArray<ServedRepository>,
    maxWaitMillis: number
  ) {
    const all = repositories.map(entryOf)
    if (maxWaitMillis > 0) yield* Queue.offer(searches, undefined)
    yield* compareAll(all, false)
    yield* wait(all, maxWaitMillis)
    return all.map(status)
  })

  const forget = Effect.fn("Indexer.forget")(function* ({ fullName, git }: ServedRepository) {
    entries.delete(git.gitDir)
    const forgotten = index
      .forget(git.gitDir)
      .pipe(
        Effect.catch(({ message }) =>
          Effect.logWarning(`${fullName} is deleted, but remains in the index for now: ${message}`)
        )
      )
    yield* Effect.forkIn(forgotten, scope)
  })

  return Indexer.of({
    statuses,
    forget,
    watch: (repositories) =>
      Effect.gen(function* () {
        for (const slice of Arr.chunksOf(yield* repositories, WATCH_SLICE)) {
          yield* compareAll(slice.map(entryOf), true)
          yield* Effect.sleep(watchPause)
        }
        yield* Effect.sleep(watchInterval)
      }).pipe(Effect.forever)
  })
})
