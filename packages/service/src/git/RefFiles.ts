/** Detects changes of a repository's reference files, and files on which git would block. */
import { type BigIntStats, statSync } from "node:fs"
import { join } from "node:path"
import { entries, isDirectory, isIrregular, realpath } from "./Files.ts"
import type { RepositoryLocation } from "./RepositoryLocation.ts"

/** State of the reference files of a repository at the time of a scan. */
export interface RefFiles {
  /** True if the files, and therefore the references, have not changed since the scan. */
  readonly isUnchanged: () => boolean
  /** Path of a file on which git would block, or that is too large for a reference file. */
  readonly irregular: string | undefined
}

/** Records the state of the files. Call it before reading their content. */
export const scan = ({ commonDir, gitDir }: RepositoryLocation): RefFiles => {
  const packed = join(commonDir, "packed-refs")
  const { files, folders, irregular, links } = scanRefs(join(commonDir, "refs"))
  const paths = [
    ...new Set([join(gitDir, "HEAD"), join(commonDir, "HEAD")]),
    join(commonDir, "packed-refs"),
    ...folders,
    ...links,
    ...(files.length > maxWatchedFiles ? [] : files)
  ]
  const stats = paths.map(stat)
  const now = BigInt(Date.now()) * 1_000_000n
  // True if the modification times are old enough that another change would alter them.
  const settled = stats.every((stat) => stat === undefined || now - stat.mtimeNs > granularity(stat.mtimeNs))
  return {
    isUnchanged: () => settled && paths.every((path, index) => isSameStat(stat(path), stats[index])),
    irregular:
      irregular ??
      filesOpenedByGit(commonDir).find(isIrregular) ??
      ((stat(packed)?.size ?? 0n) > maxPackedBytes ? packed : undefined)
  }
}

/** Maximum bytes of `packed-refs`, enough for some millions of references. */
const maxPackedBytes = 268_435_456n

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

/** Maximum size checks of reference files per repository. */
const maxCheckedFiles = 20_000

/** Maximum bytes of a reference file. */
const maxRefBytes = 65_536n

/**
 * Maximum number of reference files to watch individually. Git replaces files, which a watch on their folder notices.
 * Writes in place (go-git) are noticed at once only in repositories with at most this many files.
 */
const maxWatchedFiles = 16

const scanRefs = (root: string) => {
  const folders = [root]
  // The target of a link can change without a change of the folder that contains the link.
  const links: Array<string> = []
  const files: Array<string> = []
  const followed = new Set([realpath(root)])
  let irregular: string | undefined
  let checked = 0
  for (const folder of folders) {
    for (const entry of entries(folder)) {
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink()) {
        const target = realpath(path)
        if (!isDirectory(path)) links.push(path)
        // Each target is followed once, because a link can point to a parent folder.
        else if (!followed.has(target) && followed.add(target)) folders.push(path)
      }
      if (entry.isFile() && files.length <= maxWatchedFiles) files.push(path)
      if (entry.isDirectory()) folders.push(path)
      else if (!entry.isFile() && isIrregular(path) && !isDirectory(path)) irregular ??= path
      else if (checked++ < maxCheckedFiles && (stat(path)?.size ?? 0n) > maxRefBytes && !isDirectory(path))
        irregular ??= path
    }
  }
  return { files, folders, irregular, links }
}

const isSameStat = (a: BigIntStats | undefined, b: BigIntStats | undefined): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino && a.size === b.size

/**
 * Nanoseconds within which two changes can get the same time: a clock tick, doubled for safety, or two seconds on file
 * systems with whole seconds, for example FAT.
 */
const granularity = (mtimeNs: bigint): bigint => (mtimeNs % 1_000_000_000n === 0n ? 2_000_000_000n : 20_000_000n)

const stat = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })
