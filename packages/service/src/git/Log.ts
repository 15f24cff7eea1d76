import { statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Git } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import type { LruCache } from "../base/LruCache.ts"
import { invalidPath, splitPath } from "./Objects.ts"
import { invalidOid, isOid } from "./Oid.ts"
import * as SingleFlight from "../base/SingleFlight.ts"

/** Which commits, seen from where. */
export interface LogFilter {
  /** A commit id. */
  readonly from: string
  /** Only commits that this commit id cannot reach. */
  readonly exclude?: string | undefined
  /** Only commits that change this file or folder. */
  readonly path?: string | undefined
  /** Part of the author's `Name <email>`, in any case. */
  readonly author?: string | undefined
  readonly committer?: string | undefined
  /** Seconds since 1970; both ends belong to it. By the committer's date, as git does. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export interface LogPage extends LogFilter {
  readonly skip: number
  readonly limit: number
}

/** The commit log, in the order of `git log`. */
export interface Log {
  readonly page: (page: LogPage) => Effect.Effect<ReadonlyArray<string>, GitError>
  readonly count: (filter: LogFilter) => Effect.Effect<number, GitError>
}

/** The first commits of one walk; all of them when `complete`. */
interface Walk {
  readonly oids: ReadonlyArray<string>
  readonly complete: boolean
}

/** Walks that are kept, over all repositories, weighed by their commits. */
export type WalkCache = LruCache<Walk>

/** Commits that the first walk looks at, so that a few pages need one process. */
const initialWalkSize = 1024

/** Longer walks are not kept: their far pages are asked of git one by one. */
const maxCachedWalk = 256 * 1024

export const make = (git: Git["Service"], gitDir: string, walks: WalkCache): Log => {
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

  const walkAnew = Effect.fnUntraced(function* (key: string, filter: LogFilter, wanted: number) {
    const known = knownWalk(key, wanted)
    if (known !== undefined) return known
    const size = Math.min(maxCachedWalk, Math.max(initialWalkSize, 8 * (walks.get(key)?.oids.length ?? 0), wanted))
    const oids = (yield* revList(filter, [`--max-count=${size}`])).split("\n").slice(0, -1)
    const made = { oids, complete: oids.length < size }
    walks.set(key, made, oids.length + 1)
    return made
  })

  const walking = SingleFlight.make<Walk, GitError>()
  const walk = (filter: LogFilter, wanted: number) =>
    Effect.suspend(() => {
      // A walk ends where a shallow clone does.
      const shallow = statSync(join(gitDir, "shallow"), { throwIfNoEntry: false })
      const key = [gitDir, shallow?.ino, shallow?.mtimeMs, ...revListArguments(filter)].join("\0")
      const known = knownWalk(key, wanted)
      return known === undefined ? walking(key, walkAnew(key, filter, wanted)) : Effect.succeed(known)
    })

  return {
    page: Effect.fnUntraced(function* ({ limit, skip, ...filter }) {
      const end = skip + limit
      if (end > maxCachedWalk) {
        const text = yield* revList(filter, [`--skip=${skip}`, `--max-count=${limit}`])
        return text.split("\n").slice(0, -1)
      }
      const { oids } = yield* walk(filter, end)
      return oids.slice(skip, end)
    }),
    count: Effect.fnUntraced(function* (filter) {
      // Whoever counts will page: one whole walk serves both.
      const first = yield* walk(filter, 1)
      const { complete, oids } = first.complete ? first : yield* walk(filter, maxCachedWalk)
      return complete ? oids.length : Number(yield* revList(filter, ["--count"]))
    })
  }
}

/** Everything that decides which commits are listed. Values are joined to their options, so none can be one. */
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

/** Git takes each line of a pattern for a pattern. */
const firstLine = (pattern: string): string => pattern.replace(/\n[^]*/, "")
