/** The paths of all files of a tree. */
import * as Effect from "effect/Effect"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import { LruCache } from "../../base/LruCache.ts"
import * as SingleFlight from "../../base/SingleFlight.ts"
import { decodeNames } from "../values/TextDecoding.ts"

/** The paths of a tree, in byte order. */
export interface TreePaths {
  readonly paths: ReadonlyArray<string>
  /** False if the tree has more than `MAX_PATHS` files. */
  readonly isComplete: boolean
}

/** Maximum number of paths of one tree, and of all cached trees. */
const MAX_PATHS = 500_000
const MAX_CACHED = 1_000_000

/** Lists the paths of a tree, including symbolic links and submodules. Callers must ensure that the tree exists. */
export const make = (git: Git["Service"]) => {
  const cache = new LruCache<TreePaths>(MAX_CACHED)
  const coalesce = SingleFlight.make<TreePaths, GitError>()

  const list = Effect.fnUntraced(function* (gitDir: string, tree: string, key: string) {
    const paths: Array<string> = []
    let rest: Buffer = Buffer.alloc(0)
    const onOutput = (chunk: Buffer) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(0) + 1
      rest = bytes.subarray(end)
      if (end > 0) for (const path of decodeNames(bytes.subarray(0, end - 1)).split("\0")) paths.push(path)
      return paths.length <= MAX_PATHS
    }
    yield* git.run(["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree], { gitDir, onOutput })
    const listed = { paths: paths.slice(0, MAX_PATHS), isComplete: paths.length <= MAX_PATHS }
    cache.set(key, listed, listed.paths.length + 1)
    return listed
  })

  return (gitDir: string, tree: string): Effect.Effect<TreePaths, GitError> =>
    Effect.suspend(() => {
      const key = `${tree} ${gitDir}`
      const known = cache.get(key)
      return known === undefined ? coalesce(key, list(gitDir, tree, key)) : Effect.succeed(known)
    })
}
