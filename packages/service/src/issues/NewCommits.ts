/** Finds the commits that the move of a branch brings. */
import * as Effect from "effect/Effect"
import { EventRows } from "../events/EventRows.ts"
import type { RefMove } from "../events/PushPayload.ts"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as RefName from "../git/values/RefName.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"

/** Maximum number of commits of a push. Older ones are left out. */
const MAX_COMMITS = 1000

/** Maximum number of commits to follow without a git process. */
const MAX_FOLLOWED = 8

interface BranchCommits {
  readonly isDefaultBranch: boolean
  /** Ids, the oldest first. */
  readonly oids: ReadonlyArray<string>
}

/**
 * Makes a function that returns the commits between the ends of a move. A new branch brings the commits that no other
 * branch has, except a new default branch, which brings all.
 */
export const make = Effect.gen(function* () {
  const git = yield* Git
  const table = yield* EventRows

  /** Follows single parents from `tip` to `base`. Undefined if there are merges, or more commits. */
  const follow = Effect.fnUntraced(function* ({ git }: ServedRepository, tip: string, base: string) {
    const oids: Array<string> = []
    let oid = tip
    while (oid !== base) {
      const isLast = oids.length === MAX_FOLLOWED
      const commit = isLast ? undefined : yield* Effect.orElseSucceed(git.commit(oid), () => undefined)
      const [parent, ...others] = commit?.parents ?? []
      if (parent === undefined || others.length > 0) return undefined
      oids.unshift(oid)
      oid = parent
    }
    return oids
  })

  const between = Effect.fnUntraced(function* (
    { git: { gitDir } }: ServedRepository,
    tip: string,
    bases: ReadonlyArray<string>
  ) {
    const input = [tip, ...bases.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join("")
    // A base can be lost after a forced push.
    const options = ["--reverse", "--ignore-missing", `--max-count=${MAX_COMMITS}`, "--stdin"]
    const { stdout } = yield* git.run(["rev-list", ...options], { gitDir, input })
    return stdout.toString("latin1").split("\n").slice(0, -1)
  })

  /**
   * The commits at which the other branches start. A branch that another unrecorded change moved counts as before the
   * change, because otherwise two branches that one push creates would exclude each other.
   */
  const others = Effect.fnUntraced(function* ({ git, row }: ServedRepository, ref: string) {
    const pending = new Map(
      (yield* table.begun).flatMap(
        (change) => (change.repository_id === row.id ? [[change.ref, change.before] as const] : []) // a pair
      )
    )
    return (yield* git.refs("refs/heads/")).flatMap(({ name, oid, type }) => {
      if (name === ref || type !== "commit") return []
      const before = pending.get(name)
      return before === null ? [] : [before ?? oid]
    })
  })

  return Effect.fnUntraced(function* (
    repository: ServedRepository,
    { after, before, ref }: RefMove
  ): Effect.fn.Return<BranchCommits, GitError> {
    const isDefaultBranch = ref === RefName.branch(yield* repository.git.head)
    if (after === null) return { isDefaultBranch, oids: [] }
    if (before !== null) {
      const oids = (yield* follow(repository, after, before)) ?? (yield* between(repository, after, [before]))
      return { isDefaultBranch, oids }
    }
    const bases = isDefaultBranch ? [] : yield* others(repository, ref)
    return { isDefaultBranch, oids: bases.includes(after) ? [] : yield* between(repository, after, bases) }
  })
})
