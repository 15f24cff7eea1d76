/** How commits of one repository descend from each other. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { LruCache } from "../../base/LruCache.ts"
import { isFile } from "../files/Files.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import type { Git } from "../process/Git.ts"
import { invalidOid, isOid } from "../values/Oid.ts"
import type { Objects } from "../objects/Objects.ts"

/** Answers questions about the ancestors of commits. */
export interface Ancestry {
  /**
   * True if `ancestor` equals `descendant` or is reachable from `descendant`. Fails with `ObjectMissing` for an unknown
   * commit.
   */
  readonly isAncestor: (ancestor: string, descendant: string) => Effect.Effect<boolean, GitError>
  /** The best common ancestor of two commits; `undefined` for unrelated histories. */
  readonly mergeBase: (one: string, other: string) => Effect.Effect<string | undefined, GitError>
}

/** Maximum commits to read. A fast-forward by a few commits needs few; git is faster for many. */
const MAX_COMMITS = 64

/** Answers the questions in the repository at `gitDir`. */
export const make = (
  git: Git["Service"],
  gitDir: string,
  objects: Pick<Objects, "commit">,
  bases: LruCache<string>
): Ancestry => ({
  isAncestor: Effect.fn("Ancestry.isAncestor")(function* (ancestor: string, descendant: string) {
    for (const oid of [ancestor, descendant]) {
      if ((yield* objects.commit(oid)) === undefined) return yield* gitError({ _tag: "ObjectMissing", oid })
    }
    const known = yield* isNearAncestor(objects, gitDir, ancestor, descendant)
    if (known !== undefined) return known
    const { exitCode } = yield* git.run(["merge-base", "--is-ancestor", ancestor, descendant], {
      gitDir,
      acceptedExitCodes: [1]
    })
    return exitCode === 0
  }),
  mergeBase: Effect.fn("Ancestry.mergeBase")(function* (one: string, other: string) {
    for (const oid of [one, other]) if (!isOid(oid)) return yield* invalidOid(oid)
    // The base of most pull requests is an ancestor of the head, or not far from it.
    if ((yield* isNearAncestor(objects, gitDir, one, other)) === true) return one
    const key = `${gitDir} ${one} ${other}`
    const known = bases.get(key)
    if (known !== undefined) return known
    const { stdout } = yield* git.run(["merge-base", one, other], { gitDir, acceptedExitCodes: [1] })
    const base = stdout.toString("latin1").trim() || undefined
    if (base !== undefined) bases.set(key, base, 1)
    return base
  })
})

/**
 * Finds near ancestors without a git process: true if `ancestor` equals `descendant` or is reachable from `descendant`,
 * otherwise false. `undefined` if more commits must be read, or if only git knows where the history ends.
 */
export const isNearAncestor = Effect.fnUntraced(function* (
  { commit }: Pick<Objects, "commit">,
  gitDir: string,
  ancestor: string,
  descendant: string
): Effect.fn.Return<boolean | undefined, GitError> {
  // In a complete repository the link of the isolated directory is dangling.
  if (isFile(join(gitDir, "shallow"))) return undefined
  const found = new Set([descendant])
  let count = 0
  for (const oid of found) {
    if (found.has(ancestor)) return true
    const parents = count++ < MAX_COMMITS ? (yield* commit(oid))?.parents : undefined
    if (parents === undefined) return undefined
    for (const parent of parents) found.add(parent)
  }
  return false
})
