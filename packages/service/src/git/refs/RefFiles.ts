/** Reads the references of a repository from the files, and detects changes and files that would block git. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { entries, isDirectory, isIrregular } from "../files/Files.ts"
import * as FileStat from "../files/FileStat.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import * as LooseRefs from "./LooseRefs.ts"
import * as PackedRefs from "./PackedRefs.ts"
import type { RepositoryLocation } from "../values/RepositoryLocation.ts"

/** The reference files of a repository at one time. */
export interface RefFiles {
  readonly loose: LooseRefs.LooseRefs
  readonly packed: PackedRefs.PackedRefs
  /** True if the files, and therefore the references, have not changed since the read. */
  readonly isUnchanged: () => boolean
}

/** The state before the first read. */
export const empty: RefFiles = { loose: LooseRefs.empty, packed: PackedRefs.empty, isUnchanged: () => false }

/**
 * Reads the files that changed since `before`. Reads loose files first, because git deletes a loose file only after
 * `packed-refs` has gained or lost the reference.
 */
export const read = Effect.fnUntraced(function* (
  { commonDir, gitDir, path }: RepositoryLocation,
  digits: number,
  before: RefFiles
): Effect.fn.Return<RefFiles, GitError> {
  const time = FileStat.now()
  const heads = [...new Set([join(gitDir, "HEAD"), join(commonDir, "HEAD")])].map(
    (path) => [path, FileStat.stat(path)] as const
  )
  const packedPath = join(commonDir, "packed-refs")
  const loose = yield* LooseRefs.read(join(commonDir, "refs"), digits, before.loose)
  const irregular =
    loose.irregular ??
    filesOpenedByGit(commonDir).find(isIrregular) ??
    ((FileStat.stat(packedPath)?.size ?? 0n) > PackedRefs.MAX_BYTES ? packedPath : undefined)
  if (irregular !== undefined) {
    const detail = `${irregular} is not a regular file of a plausible size`
    return yield* gitError({ _tag: "Unreadable", path, detail })
  }
  const folders = [join(commonDir, "refs"), join(commonDir, "objects")]
  if (!folders.every(isDirectory)) return yield* gitError({ _tag: "NotARepository", path: commonDir })
  const packed = yield* PackedRefs.read(packedPath, digits, before.packed)
  const watched = [
    ...heads.map(([path, stat]) => ({ path, stat, isSettled: FileStat.isSettled(stat, time) })),
    { path: packedPath, stat: packed.stat, isSettled: packed.isSettled },
    ...LooseRefs.watched(loose, time)
  ]
  const isSettled = watched.every(({ isSettled }) => isSettled)
  return {
    loose,
    packed,
    isUnchanged: () => isSettled && watched.every(({ path, stat }) => FileStat.isSame(FileStat.stat(path), stat))
  }
})

/** Files that git opens for every command. */
const filesOpenedByGit = (commonDir: string): ReadonlyArray<string> => [
  ...["packed-refs", "shallow"].map((name) => join(commonDir, name)),
  ...["alternates", "commit-graph", "commit-graphs/commit-graph-chain"].map((name) =>
    join(commonDir, "objects/info", name)
  ),
  ...entries(join(commonDir, "objects/pack")).flatMap((entry) =>
    entry.isFile() || entry.isDirectory() ? [] : [join(commonDir, "objects/pack", entry.name)]
  )
]
