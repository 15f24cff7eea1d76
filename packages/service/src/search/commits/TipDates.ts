/** Dates of commits in many repositories, read with few git processes. */
import { delimiter, join } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { LruCache } from "../../base/LruCache.ts"
import type { Git } from "../../git/process/Git.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as ReadDeadline from "../../git/values/ReadDeadline.ts"

/** A commit of a repository. */
export interface Tip {
  readonly served: ServedRepository
  readonly commit: string
}

/** Maximum number of known dates. */
const MAX_KNOWN = 200_000

/** Maximum number of repositories that one git process reads. */
const MAX_REPOSITORIES = 250

/** Maximum number of git processes at a time. */
const CONCURRENCY = 4

/** Dates in seconds by the id of the commit, which determines the date. */
const known = new LruCache<number>(MAX_KNOWN)

/** Returns the dates of commits in seconds by id. Leaves out commits that git cannot read. */
export const read = Effect.fn("TipDates.read")(function* (
  git: Pick<Git["Service"], "run">,
  tips: ReadonlyArray<Tip>
): Effect.fn.Return<ReadonlyMap<string, number>> {
  const dates = new Map<string, number>()
  const unknown: Array<Tip> = []
  for (const tip of tips) {
    const date = known.get(tip.commit)
    if (date === undefined) unknown.push(tip)
    else dates.set(tip.commit, date)
  }
  const byFormat = Map.groupBy(unknown, ({ served }) => served.git.objectFormat).values()
  const groups = [...byFormat].flatMap((some) => Arr.chunksOf(some, MAX_REPOSITORIES))
  const found = yield* Effect.forEach(groups, (group) => readGroup(git, group), { concurrency: CONCURRENCY })
  for (const [commit, date] of found.flat()) {
    known.set(commit, date)
    dates.set(commit, date)
  }
  const missing = unknown.filter(({ commit }) => !dates.has(commit))
  yield* Effect.forEach(missing, (tip) => readOne(tip, dates), { concurrency: CONCURRENCY, discard: true })
  return dates
})

/** Reads commits of several repositories in the first one, which borrows the objects of the others. */
const readGroup = (git: Pick<Git["Service"], "run">, tips: ReadonlyArray<Tip>) => {
  const folders = new Set(tips.map(({ served }) => join(served.git.gitDir, "objects")))
  const borrowed = [...folders].slice(1)
  const gitDir = tips[0]?.served.git.gitDir ?? ""
  // Git separates the folders by the delimiter, and reads quotation marks as escapes.
  if (tips.length === 1 || borrowed.some((folder) => /["\n]/.test(folder) || folder.includes(delimiter)))
    return Effect.succeed<ReadonlyArray<readonly [string, number]>>([])
  const reading = git.run(["rev-list", "--no-walk=unsorted", "--timestamp", "--ignore-missing", "--stdin"], {
    gitDir,
    input: tips.map(({ commit }) => `${commit}\n`).join(""),
    environment: { GIT_ALTERNATE_OBJECT_DIRECTORIES: borrowed.join(delimiter) }
  })
  return ReadDeadline.withDeadline(reading, ReadDeadline.searchDeadline).pipe(
    Effect.map(({ stdout }) =>
      stdout
        .toString("latin1")
        .trim()
        .split("\n")
        .flatMap((line): ReadonlyArray<readonly [string, number]> => {
          const [seconds, commit] = line.split(" ")
          return commit === undefined ? [] : [[commit, Number(seconds)]]
        })
    ),
    // One damaged repository fails the process. Then each repository is read alone.
    Effect.orElseSucceed((): ReadonlyArray<readonly [string, number]> => [])
  )
}

const readOne = ({ commit, served }: Tip, dates: Map<string, number>) =>
  served.git.commit(commit).pipe(
    Effect.orElseSucceed(() => undefined),
    Effect.map((found) => {
      if (found === undefined) return
      known.set(commit, found.committer.seconds)
      dates.set(commit, found.committer.seconds)
    })
  )
