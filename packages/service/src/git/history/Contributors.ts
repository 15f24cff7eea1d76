/** The authors of the commits that a commit contains. */
import * as Effect from "effect/Effect"
import { LruCache } from "../../base/LruCache.ts"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"

export interface Contributor {
  readonly email: string
  /** The name with the most commits of this address. */
  readonly name: string
  readonly commits: number
}

/** Repositories whose contributors are cached. */
const MAX_CACHED = 100

/** Creates the function that counts commits by the author's email address, the most commits first. */
export const make = (git: Git["Service"]) => {
  const cache = new LruCache<ReadonlyArray<Contributor>>(MAX_CACHED)

  return Effect.fnUntraced(function* (
    gitDir: string,
    commit: string
  ): Effect.fn.Return<ReadonlyArray<Contributor>, GitError> {
    const key = `${commit} ${gitDir}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const { stdout } = yield* git.run(["shortlog", "--summary", "--numbered", "--email", commit, "--"], { gitDir })
    const contributors = parse(stdout.toString())
    cache.set(key, contributors)
    return contributors
  })
}

/** Parses lines such as `    12<tab>Ada Lovelace <ada@example.com>`. */
const parse = (summary: string): ReadonlyArray<Contributor> => {
  const found = new Map<string, Contributor>()
  for (const line of summary.split("\n")) {
    const [, count, name = "", email = ""] = /^\s*(\d+)\t(.*?)\s*<([^<>]*)>$/.exec(line) ?? []
    if (count === undefined) continue
    const before = found.get(email)
    found.set(email, { email, name: before?.name ?? name, commits: (before?.commits ?? 0) + Number(count) })
  }
  return [...found.values()].toSorted((a, b) => b.commits - a.commits)
}
