import { statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberMap from "effect/FiberMap"
import * as Option from "effect/Option"
import type { Git } from "../process/Git.ts"
import * as CacheDependencies from "../values/CacheDependencies.ts"
import * as CommitCounts from "./CommitCounts.ts"
import { type GitError, unavailable } from "../values/GitError.ts"
import type { LruCache } from "../../base/LruCache.ts"
import { invalidPath, splitPath } from "../objects/Objects.ts"
import { invalidOid, isOid } from "../values/Oid.ts"
import * as SingleFlight from "../../base/SingleFlight.ts"

/** Selects commits of the log. */
export interface LogFilter {
  /** Id of the commit to start from. */
  readonly from: string
  /** Excludes the commits reachable from this commit id. */
  readonly exclude?: string | undefined
  /** Only commits that change this file or folder. */
  readonly path?: string | undefined
  /** Part of the author's `Name <email>` (case-insensitive). */
  readonly author?: string | undefined
  readonly committer?: string | undefined
  /** Inclusive bounds of the committer date, in seconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** A page of the filtered log. */
export interface LogPage extends LogFilter {
  readonly skip: number
  readonly limit: number
}

/** Commit ids in the order of `git log`. */
export interface Log {
  readonly page: (page: LogPage) => Effect.Effect<ReadonlyArray<string>, GitError>
  readonly count: (filter: LogFilter) => Effect.Effect<number, GitError>
  /** The count, or `undefined` if counting takes long. Counting then continues, and a later call returns the count. */
  readonly promptCount: (filter: LogFilter) => Effect.Effect<number | undefined, GitError>
}

/** The first commits of a walk, or the whole walk if `complete`. */
interface Walk {
  readonly oids: ReadonlyArray<string>
  readonly complete: boolean
}

/** Cached walks of all repositories, weighed by number of commits. */
export type WalkCache = LruCache<Walk>

/** State that the logs of all repositories share. */
export interface LogCaches {
  readonly walks: WalkCache
  /** Counts of commits. A count is `undefined` if it failed or took too long. */
  readonly counts: LruCache<{ readonly count: number | undefined }>
  readonly counting: FiberMap.FiberMap<string, number, GitError>
}

/** Commits to read at first, so that the first pages need one process. */
const INITIAL_WALK_SIZE = 1024

/** Maximum commits of a cached walk. Later pages need one git process each. */
const MAX_CACHED_WALK = 256 * 1024

/** Maximum time that a list of commits waits for a count. */
const PROMPT_COUNT_TIME = "10 millis"

/** Maximum time of a count. After the deadline of git commands, the repository would get no log for a while. */
const COUNT_TIME = "20 seconds"

/** Reads the log of the repository at `gitDir`. */
export const make = (git: Git["Service"], gitDir: string, { counting, counts, walks }: LogCaches): Log => {
  const revList = (filter: LogFilter, options: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      for (const oid of [filter.from, filter.exclude ?? filter.from])
        if (!isOid(oid)) return Effect.fail(invalidOid(oid))
      if (filter.path !== undefined && splitPath(filter.path) === undefined)
        return Effect.fail(invalidPath(filter.path))
      return Effect.map(
        git.run(["rev-list", ...options, ...revListArguments(filter)], { gitDir, literalPaths: true }),
        ({ stdout }) => stdout.toString("latin1")
      )
    })

  const knownWalk = (key: string, wanted: number) => {
    const known = walks.get(key)
    return known !== undefined && (known.complete || known.oids.length >= wanted) ? known : undefined
  }

  const readWalk = Effect.fnUntraced(function* (key: string, filter: LogFilter, wanted: number) {
    const known = knownWalk(key, wanted)
    if (known !== undefined) return known
    const size = Math.min(MAX_CACHED_WALK, Math.max(INITIAL_WALK_SIZE, 8 * (walks.get(key)?.oids.length ?? 0), wanted))
    const oids = (yield* revList(filter, [`--max-count=${size}`])).split("\n").slice(0, -1)
    const result = { oids, complete: oids.length < size }
    walks.set(key, result, oids.length + 1)
    return result
  })

  const coalesce = SingleFlight.make<Walk, GitError>()
  const keyOf = (filter: LogFilter) => {
    // A fetch into a shallow clone can change the result of a walk, so the key contains the state of `shallow`.
    const shallow = statSync(join(gitDir, "shallow"), { throwIfNoEntry: false })
    return [gitDir, shallow?.ino, shallow?.mtimeMs, ...revListArguments(filter)].join("\0")
  }
  const walk = (filter: LogFilter, wanted: number) =>
    Effect.suspend(() => {
      const key = keyOf(filter)
      const known = knownWalk(key, wanted)
      return known === undefined ? coalesce(key, readWalk(key, filter, wanted)) : Effect.succeed(known)
    })

  const knownCount = (key: string, { from, ...filter }: LogFilter) => {
    const walk = walks.get(key)
    if (walk?.complete === true) return walk.oids.length
    const count = counts.get(key)?.count ?? (isUnfiltered(filter) ? CommitCounts.read(gitDir).get(from) : undefined)
    if (count !== undefined) counts.set(key, { count })
    return count
  }

  /** Counts the commits of a tip, starting from the newest ancestor with a known count. */
  const readCount = Effect.fnUntraced(function* (key: string, filter: LogFilter) {
    const { from, ...others } = filter
    const isTip = isUnfiltered(others)
    const known = isTip ? CommitCounts.read(gitDir) : new Map<string, number>()
    const base = known.size === 0 ? undefined : walks.get(key)?.oids.find((oid) => known.has(oid))
    const added = Number(yield* revList(base === undefined ? filter : { from, exclude: base }, ["--count"]))
    const count = added + (base === undefined ? 0 : (known.get(base) ?? 0))
    counts.set(key, { count })
    if (isTip) CommitCounts.write(gitDir, from, count)
    return count
  })

  /** Returns the running count, or starts one. The count continues without the caller. */
  const startCount = (key: string, filter: LogFilter) =>
    Effect.suspend(() => {
      const running = FiberMap.getUnsafe(counting, key)
      if (Option.isSome(running)) return Effect.succeed(running.value)
      const count = Effect.timeoutOrElse(readCount(key, filter), {
        duration: COUNT_TIME,
        orElse: () => Effect.fail(unavailable(`Counting commits took longer than ${COUNT_TIME}`))
      })
      const recorded = Effect.tapError(count, () => Effect.sync(() => counts.set(key, { count: undefined })))
      return FiberMap.run(counting, key, recorded)
    })

  return {
    page: Effect.fnUntraced(function* ({ limit, skip, ...filter }) {
      const end = skip + limit
      if (end > MAX_CACHED_WALK) {
        const text = yield* revList(filter, [`--skip=${skip}`, `--max-count=${limit}`])
        return text.split("\n").slice(0, -1)
      }
      const { oids } = yield* walk(filter, end)
      return oids.slice(skip, end)
    }),
    count: Effect.fnUntraced(function* (filter) {
      const { complete, oids } = yield* walk(filter, 1)
      const key = keyOf(filter)
      const known = complete ? oids.length : knownCount(key, filter)
      return known ?? (yield* Fiber.join(yield* startCount(key, filter)))
    }),
    promptCount: Effect.fnUntraced(function* (filter) {
      const key = keyOf(filter)
      const known = knownCount(key, filter)
      if (known !== undefined) return known
      yield* CacheDependencies.add({ isCurrent: () => counts.get(key)?.count === undefined })
      // A count that failed is not repeated in the background.
      if (counts.get(key) !== undefined) return undefined
      const fiber = yield* startCount(key, filter)
      const counted = yield* Effect.timeoutOption(Fiber.await(fiber), PROMPT_COUNT_TIME)
      return Option.getOrUndefined(Option.flatMap(counted, Exit.getSuccess))
    })
  }
}

/** True if no option excludes commits reachable from `from`. */
const isUnfiltered = (filter: Omit<LogFilter, "from">) =>
  revListArguments({ from: "", ...filter }).length === revListArguments({ from: "" }).length

/**
 * Arguments that select commits. Each value is joined to an option, so that git cannot parse the value as an option.
 */
const revListArguments = ({
  author,
  committer,
  exclude,
  from,
  path,
  since,
  until
}: LogFilter): ReadonlyArray<string> => [
  "--fixed-strings",
  "--regexp-ignore-case",
  ...(author === undefined ? [] : [`--author=${firstLine(author)}`]),
  ...(committer === undefined ? [] : [`--committer=${firstLine(committer)}`]),
  ...(since === undefined ? [] : [`--max-age=${Math.trunc(since)}`]),
  ...(until === undefined ? [] : [`--min-age=${Math.trunc(until)}`]),
  from,
  ...(exclude === undefined ? [] : [`^${exclude}`]),
  "--",
  ...(path === undefined || path === "" ? [] : [path.replace(/\/$/, "")])
]

/** Git treats each line of a pattern as a separate pattern. */
const firstLine = (pattern: string): string => pattern.replace(/\n[^]*/, "")
