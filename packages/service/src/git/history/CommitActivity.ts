/** Number of commits on each day, and the latest commits. */
import * as Effect from "effect/Effect"
import { clamp, type CommitLine } from "./Blame.ts"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import { LruCache } from "../../base/LruCache.ts"

export interface CommitActivity {
  /** Number of commits of each day, oldest first. The last is today. */
  readonly counts: ReadonlyArray<number>
  /** Newest first. */
  readonly latest: ReadonlyArray<CommitLine>
}

/** Maximum cached activities. */
const MAX_CACHED = 1_000

/** Maximum counted commits. */
const MAX_COMMITS = 20_000

const LATEST_COUNT = 10
const SECONDS_PER_DAY = 24 * 60 * 60

/** Counts the ancestors of a commit by the committer's day in UTC. `today`: days since 1970. */
export const make = (git: Git["Service"]) => {
  const cache = new LruCache<CommitActivity>(MAX_CACHED)

  return Effect.fnUntraced(function* (
    { commit, days, gitDir }: { readonly gitDir: string; readonly commit: string; readonly days: number },
    today: number
  ): Effect.fn.Return<CommitActivity, GitError> {
    const key = `${commit} ${gitDir} ${days} ${today}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const first = today - days + 1
    const log = (...options: ReadonlyArray<string>) => git.run(["log", ...options, commit, "--"], { gitDir })
    const [counted, latest] = yield* Effect.all(
      [
        log("--format=%ct", `--max-age=${first * SECONDS_PER_DAY}`, `--max-count=${MAX_COMMITS}`),
        log("--format=%H%x00%an%x00%at%x00%s", "-z", "--encoding=UTF-8", `--max-count=${LATEST_COUNT}`)
      ],
      { concurrency: 2 }
    )
    const counts = Array.from({ length: days }, () => 0)
    for (const seconds of counted.stdout.toString("latin1").split("\n").slice(0, -1)) {
      // A commit date in the future counts as today.
      const day = Math.min(Math.floor(Number(seconds) / SECONDS_PER_DAY) - first, days - 1)
      counts[day] = (counts[day] ?? 0) + 1
    }
    const activity = { counts, latest: commitLines(latest.stdout.toString()) }
    cache.set(key, activity)
    return activity
  })
}

const commitLines = (log: string): ReadonlyArray<CommitLine> => {
  const fields = log.split("\0")
  return Array.from({ length: Math.floor(fields.length / 4) }, (_, index) => {
    const [oid = "", author = "", seconds = "", summary = ""] = fields.slice(4 * index, 4 * index + 4)
    return { oid, author, seconds: clamp(Number(seconds)), summary }
  })
}
