/** Finds near ancestors without a git process. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { isFile } from "./Files.ts"
import type { GitError } from "./GitError.ts"
import type { Objects } from "./Objects.ts"

/** Maximum commits that are read. A fast-forward by a few commits needs few; git is faster for many. */
const maxCommits = 64

/**
 * True if `ancestor` is `descendant` or reachable from it, false if it is not. `undefined` if more commits must be read,
 * or if only git knows where the history ends.
 */
export const isAncestor = Effect.fnUntraced(function* (
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
    const parents = count++ < maxCommits ? (yield* commit(oid))?.parents : undefined
    if (parents === undefined) return undefined
    for (const parent of parents) found.add(parent)
  }
  return false
})
