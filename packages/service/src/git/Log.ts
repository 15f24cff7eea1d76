import { statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Git } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import type { LruCache } from "../base/LruCache.ts"
import { invalidPath, splitPath } from "./Objects.ts"
import { invalidOid, isOid } from "./Oid.ts"
import * as SingleFlight from "../base/SingleFlight.ts"

/** Selects commits of the log. */
export interface LogFilter {
  /** Id of the commit to start from. */
  readonly from: string
  /** Only commits that are not reachable from this commit id. */
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
}

/** The first commits of a walk, or all of them if `complete`. */
interface Walk {
  readonly oids: ReadonlyArray<string>
  readonly complete: boolean
}

/** Cached walks of all repositories, weighed by their number of commits. */
export type WalkCache = LruCache<Walk>

/** Commits to read at first, so that the first pages need one process. */
const initialWalkSize = 1024

/** Maximum commits of a cached walk. Later pages need one git process each. */
const maxCachedWalk = 256 * 1024

/** Reads the log of the repository at `gitDir`. */
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

  const readWalk = Effect.fnUntraced(function* (key: string, filter: LogFilter, wanted: number) {
    const known = knownWalk(key, wanted)
    if (known !== undefined) return known
    const size = Math.min(maxCachedWalk, Math.max(initialWalkSize, 8 * (walks.get(key)?.oids.length ?? 0), wanted))
    const oids = (yield* revList(filter, [`--max-count=${size}`])).split("\n").slice(0, -1)
    const result = { oids, complete: oids.length < size }
    walks.set(key, result, oids.length + 1)
    return result
  })

  const coalesce = SingleFlight.make<Walk, GitError>()
  const walk = (filter: LogFilter, wanted: number) =>
    Effect.suspend(() => {
      // A fetch into a shallow clone can change the result of a walk, so the key contains the state of `shallow`.
      const shallow = statSync(join(gitDir, "shallow"), { throwIfNoEntry: false })
      const key = [gitDir, shallow?.ino, shallow?.mtimeMs, ...revListArguments(filter)].join("\0")
      const known = knownWalk(key, wanted)
      return known === undefined ? coalesce(key, readWalk(key, filter, wanted)) : Effect.succeed(known)
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
      // A full walk also serves the pages that are usually requested next.
      const first = yield* walk(filter, 1)
      const { complete, oids } = first.complete ? first : yield* walk(filter, maxCachedWalk)
      return complete ? oids.length : Number(yield* revList(filter, ["--count"]))
    })
  }
}

/** Arguments that select commits. Each value is joined to its option, so that git cannot parse it as an option. */
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
