/** The files in which a repository keeps its references, and those that git reads with them. */
import { type BigIntStats, statSync } from "node:fs"
import { join } from "node:path"
import { entries, isDirectory, isIrregular, realpath } from "./Files.ts"
import type { RepositoryLocation } from "./RepositoryLocation.ts"

export interface RefFiles {
  /** Whether the files are still the same, and so the references. */
  readonly isUnchanged: () => boolean
  /** A file for which git would wait for ever, or that it would read whole although no reference is so long. */
  readonly irregular: string | undefined
}

/** Looks at the files now. To be called before their content is read. */
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
  // Whether a further change would show.
  const settled = stats.every((stat) => stat === undefined || now - stat.mtimeNs > granularity(stat.mtimeNs))
  return {
    isUnchanged: () => settled && paths.every((path, index) => isSameStat(stat(path), stats[index])),
    irregular:
      irregular ??
      filesOpenedByGit(commonDir).find(isIrregular) ??
      ((stat(packed)?.size ?? 0n) > maxPackedBytes ? packed : undefined)
  }
}

/** Bytes of `packed-refs` at most: some millions of references. */
const maxPackedBytes = 268_435_456n

/** Files that git opens before it answers anything. */
const filesOpenedByGit = (commonDir: string): ReadonlyArray<string> => [
  ...["packed-refs", "shallow"].map((name) => join(commonDir, name)),
  ...["alternates", "commit-graph", "commit-graphs/commit-graph-chain"].map((name) =>
    join(commonDir, "objects/info", name)
  ),
  ...entries(join(commonDir, "objects/pack")).flatMap((entry) =>
    entry.isFile() || entry.isDirectory() ? [] : [join(commonDir, "objects/pack", entry.name)]
  )
]

/** Reference files whose size is checked, of one repository. */
const maxCheckedFiles = 20_000

/** Bytes of a reference file at most. */
const maxRefBytes = 65_536n

/**
 * Reference files that are looked at each time. Git replaces them, which shows in their folder; programs that write into
 * them (go-git) are seen at once only where there are no more.
 */
const maxWatchedFiles = 16

const scanRefs = (root: string) => {
  const folders = [root]
  // What a link leads to can change without a change of the folder in which the link is.
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
        // A link to a folder above it would never end.
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
 * Nanoseconds in which a file system may give two changes one time: a clock tick, doubled for safety; where times are
 * whole seconds, as on FAT and old file systems, two seconds.
 */
const granularity = (mtimeNs: bigint): bigint => (mtimeNs % 1_000_000_000n === 0n ? 2_000_000_000n : 20_000_000n)

const stat = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })
