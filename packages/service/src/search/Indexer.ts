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
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
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

/**
 * Up to `FEW_REPOSITORIES` repositories are checked by each search. More are checked after a write of this process, and
 * by `watch`. If `watch` does not run, or was late by `WATCHED_AGE` milliseconds, a search checks those that were not
 * checked within `TIP_AGE` milliseconds.
 */
const FEW_REPOSITORIES = 50
const TIP_AGE = 250
const WATCHED_AGE = 30_000

/** Milliseconds after which a search of many repositories reads the states again, which other processes can change. */
const STATE_AGE = 5_000

/** Number of repositories that are checked, or whose states are read, before other fibers run. */
const SLICE = 250

/**
 * `watch` checks `WATCH_SLICE` repositories at a time with `watchPause` in between, and all repositories again after
 * `watchInterval`. A check takes about 25 microseconds.
 */
const WATCH_SLICE = 100
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
 * Keeps the index at the tips of the default branches, a few repositories at a time. Repositories can change outside
 * the service, so searches and `watch` check the tips. In a cluster, each process indexes the repositories that it owns.
 */
export class Indexer extends Context.Service<
  Indexer,
  {
    /**
     * Checks the repositories, starts updates of outdated ones, and returns the status of all. Waits up to
     * `maxWaitMillis` milliseconds for the updates, but stops waiting if the estimated time exceeds the rest. Returns the
     * same array for the same array of repositories until a status changes.
     */
    statuses(
      repositories: ReadonlyArray<ServedRepository>,
      maxWaitMillis: number
    ): Effect.Effect<ReadonlyArray<IndexStatus>>
    /** Counts the repositories whose index this process updates by phase, and their size in bytes, without a check. */
    counts(): { readonly phases: Readonly<Record<IndexStatus["phase"], number>>; readonly size: number }
    /**
     * Removes a deleted repository from the index, in the background, because the index may be busy with another
     * repository. Only logs a failure, because the index also detects a missing repository later.
     */
    forget(served: ServedRepository): Effect.Effect<void>
    /** Checks and updates the repositories periodically until interrupted. `open` opens some of the listed ones. */
    watch<A>(
      list: Effect.Effect<ReadonlyArray<A>>,
      open: (some: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<ServedRepository>>
    ): Effect.Effect<never>
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
  /** The references that were compared: of this repository object, after this number of writes. */
  git: ServedRepository["git"] | undefined
  writes: number
  /** The status, until a change. */
  status: IndexStatus | undefined
  /** Cause of the last failure to read the tip of the default branch. */
  unseen: string | undefined
  /** Last failure to index a commit. */
  failure: { readonly at: number; readonly tip: string | undefined; readonly problem: string } | undefined
  /** Last logged warning, so that the same warning is not logged twice in a row. */
  lastProblem: string | undefined
  job: { readonly done: Deferred.Deferred<void>; progress: IndexProgress | undefined; isRunning: boolean } | undefined
}

/** The entries of an array of repositories, with the statuses at a revision. */
interface Group {
  readonly entries: ReadonlyArray<Entry>
  statuses: ReadonlyArray<IndexStatus>
  revision: number
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
  const ownership = yield* RepositoryOwnership
  const scope = yield* Effect.scope
  const entries = new Map<string, Entry>()
  let groups = new WeakMap<ReadonlyArray<ServedRepository>, Group>()
  /** Counts the changes of statuses. */
  let revision = 0
  /** Number of entries with a job. */
  let jobCount = 0
  let isWatched = false
  let statesReadAt = 0
  const jobs = yield* Queue.unbounded<Entry>()
  /** Wakes the fiber that refines symbols, and pauses refinement for a search. */
  const refinable = yield* Queue.sliding<void>(1)
  const searches = yield* Queue.sliding<void>(1)
  /** Cause of the last failure to read the index. */
  let broken: string | undefined

  /** True if this process keeps the index of a repository up to date. */
  const isOwned = ({ served }: Entry): boolean => index.isShared || ownership.owns(served.row.id)

  const changed = (entry: Entry) => {
    entry.status = undefined
    revision += 1
  }

  const setBroken = (message: string | undefined) => {
    if (broken === message) return
    broken = message
    for (const entry of entries.values()) changed(entry)
  }

  const entryOf = (served: ServedRepository): Entry => {
    const { gitDir } = served.git
    const known = entries.get(gitDir)
    if (known !== undefined) {
      if (known.served !== served) changed(known)
      known.served = served
      return known
    }
    const made: Entry = {
      served,
      state: undefined,
      tip: undefined,
      branches: [],
      comparedAt: Number.NEGATIVE_INFINITY,
      git: undefined,
      writes: 0,
      status: undefined,
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
    for (const [at, entry] of stale.entries()) {
      const state = states[at] ?? nothing
      if (!isSameState(entry.state, state)) changed(entry)
      entry.state = state
    }
    if (states.some(({ impreciseSymbols }) => impreciseSymbols > 0)) yield* Queue.offer(refinable, undefined)
  })

  /** Reads the index states of repositories. Does not fail, because searches also work without the index. */
  const tryStates = (stale: ReadonlyArray<Entry>) =>
    Effect.matchEffect(readStates(stale), {
      onSuccess: () =>
        Effect.sync(() => {
          if (stale.length > 0) setBroken(undefined)
        }),
      onFailure: Effect.fnUntraced(function* ({ message }) {
        const isNew = broken !== message
        setBroken(message)
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
    // A deleted repository is not indexed again. Another process can have taken over the repository meanwhile.
    if (tip !== undefined && entries.get(entry.served.git.gitDir) === entry && isOwned(entry)) {
      job.isRunning = true
      changed(entry)
      const onProgress = (progress: IndexProgress) => {
        job.progress = progress
        changed(entry)
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
    jobCount -= 1
    changed(entry)
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

  /** Queues a job if the index has another commit than the tip. */
  const update = (entry: Entry, now: number) => {
    const { failure, job, state, tip } = entry
    if (tip === undefined || state === undefined || broken !== undefined) return
    if (job !== undefined || isIndexed(entry) || !isOwned(entry)) return
    if (failure?.tip === tip && now - failure.at < RETRY_AFTER) return
    entry.job = { done: Deferred.makeUnsafe<void>(), progress: undefined, isRunning: false }
    jobCount += 1
    changed(entry)
    Queue.offerUnsafe(jobs, entry)
  }

  /**
   * Finds the tip without git: if unchanged, known to the index, or with `isQuick`, which leaves a damaged commit to the
   * update. Returns false if git must find the tip.
   */
  const compareFiles = (entry: Entry, isQuick: boolean): boolean => {
    if (patterns.length > 0) return false
    const oid = entry.served.git.headOid()
    if (oid === undefined || (!isQuick && oid !== entry.tip && oid !== entry.state?.commit)) return false
    if (oid !== entry.tip || entry.unseen !== undefined) changed(entry)
    entry.tip = oid
    entry.unseen = undefined
    return true
  }

  const compareByGit = (entry: Entry, now: number) =>
    Effect.gen(function* () {
      const tip = yield* ReadDeadline.withDeadline(entry.served.git.resolve("HEAD"), ReadDeadline.searchDeadline)
      entry.tip = tip
      entry.branches = tip === undefined ? [] : yield* branchesOf(entry, tip)
      entry.unseen = undefined
      changed(entry)
      update(entry, now)
    }).pipe(
      Effect.catch(({ message }) => {
        entry.tip = undefined
        entry.unseen = message
        changed(entry)
        return warn(entry, `cannot read the default branch of ${entry.served.fullName}: ${message}`)
      })
    )

  /** Reads the tips of repositories, and queues jobs for those whose index has another commit. */
  const compare = Effect.fnUntraced(function* (all: ReadonlyArray<Entry>, now: number) {
    const isQuick = all.length > FEW_REPOSITORIES
    const others: Array<Entry> = []
    for (const [at, entry] of all.entries()) {
      if (at > 0 && at % SLICE === 0) yield* Effect.yieldNow
      const { git } = entry.served
      entry.comparedAt = now
      entry.git = git
      entry.writes = git.refWrites()
      if (compareFiles(entry, isQuick)) update(entry, now)
      else others.push(entry)
    }
    yield* Effect.forEach(others, (entry) => compareByGit(entry, now), { concurrency: 16, discard: true })
  })

  /** True if the tip can have changed since the last check. */
  const isDue = ({ comparedAt, git, served, writes }: Entry, now: number): boolean =>
    git !== served.git || writes !== served.git.refWrites() || now - comparedAt >= (isWatched ? WATCHED_AGE : TIP_AGE)

  /** Checks the repositories of a search. */
  const compareSearched = Effect.fnUntraced(function* (all: ReadonlyArray<Entry>) {
    const now = yield* Clock.currentTimeMillis
    const isFew = all.length <= FEW_REPOSITORIES
    // Reads the states again, because other processes can update or replace the index.
    yield* tryStates(isFew || broken !== undefined ? all : all.filter(({ state }) => state === undefined))
    if (!isFew && now - statesReadAt >= STATE_AGE) {
      statesReadAt = now
      const read = Effect.forEach(Arr.chunksOf(all, SLICE), tryStates, { discard: true })
      yield* Effect.forkIn(read, scope)
    }
    yield* compare(isFew ? all : all.filter((entry) => isDue(entry, now)), now)
  })

  /** Checks repositories in the background. Skips reads of known states, so that the reader can end when idle. */
  const compareWatched = Effect.fnUntraced(function* (all: ReadonlyArray<Entry>) {
    yield* tryStates(broken !== undefined ? all : all.filter(({ state }) => state === undefined))
    yield* compare(all, yield* Clock.currentTimeMillis)
  })

  const wait = (all: ReadonlyArray<Entry>, maxWaitMillis: number) =>
    Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      while (true) {
        const left = maxWaitMillis - ((yield* Clock.currentTimeMillis) - begun)
        const job = jobCount === 0 ? undefined : all.find((entry) => entry.job !== undefined)?.job
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
    if (tip === undefined) return { ...known, phase: "empty" }
    return isIndexed(entry) ? { ...known, phase: "ready" } : { ...known, phase: "failed", problem: failure?.problem }
  }

  const groupOf = (repositories: ReadonlyArray<ServedRepository>): Group => {
    const known = groups.get(repositories)
    if (known !== undefined) return known
    const made = { entries: repositories.map(entryOf), statuses: [], revision: -1 }
    groups.set(repositories, made)
    return made
  }

  const statuses = Effect.fn("Indexer.statuses")(function* (
    repositories: ReadonlyArray<ServedRepository>,
    maxWaitMillis: number
  ) {
    const group = groupOf(repositories)
    if (maxWaitMillis > 0) yield* Queue.offer(searches, undefined)
    yield* compareSearched(group.entries)
    yield* wait(group.entries, maxWaitMillis)
    if (group.revision !== revision) {
      const now = group.entries.map((entry) => (entry.status ??= status(entry)))
      if (now.length !== group.statuses.length || now.some((one, at) => one !== group.statuses[at]))
        group.statuses = now
      group.revision = revision
    }
    return group.statuses
  })

  const forget = Effect.fn("Indexer.forget")(function* ({ fullName, git }: ServedRepository) {
    entries.delete(git.gitDir)
    groups = new WeakMap()
    const forgotten = index
      .forget(git.gitDir)
      .pipe(
        Effect.catch(({ message }) =>
          Effect.logWarning(`${fullName} is deleted, but remains in the index for now: ${message}`)
        )
      )
    yield* Effect.forkIn(forgotten, scope)
  })

  const counts = () => {
    const phases = { empty: 0, ready: 0, waiting: 0, indexing: 0, failed: 0 }
    let size = 0
    for (const entry of entries.values()) {
      if (!isOwned(entry)) continue
      entry.status ??= status(entry)
      phases[entry.status.phase] += 1
      size += entry.status.size
    }
    return { phases, size }
  }

  return Indexer.of({
    statuses,
    counts,
    forget,
    watch: (list, open) =>
      Effect.gen(function* () {
        isWatched = true
        for (const slice of Arr.chunksOf(yield* list, WATCH_SLICE)) {
          yield* compareWatched((yield* open(slice)).map(entryOf))
          yield* Effect.sleep(watchPause)
        }
        yield* Effect.sleep(watchInterval)
      }).pipe(
        Effect.forever,
        Effect.ensuring(
          Effect.sync(() => {
            isWatched = false
          })
        )
      )
  })
})

const isSameState = (one: IndexState | undefined, other: IndexState): boolean =>
  one !== undefined &&
  one.commit === other.commit &&
  one.pinned.join(" ") === other.pinned.join(" ") &&
  one.files === other.files &&
  one.size === other.size &&
  one.leftOut === other.leftOut &&
  one.unreadable === other.unreadable &&
  one.impreciseSymbols === other.impreciseSymbols
