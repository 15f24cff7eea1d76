/** Finds repositories that share objects, such as forks: in one shard, the index has their contents once. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

/** Returns the folders of objects that a repository borrows from. */
const poolsOf = (gitDir: string): ReadonlyArray<string> => {
  const objects = join(gitDir, "objects")
  try {
    const lines = readFileSync(join(objects, "info", "alternates"), "utf8").split("\n")
    return lines.filter((line) => line !== "").map((line) => resolve(objects, line))
  } catch {
    // Most repositories have no such file.
    return []
  }
}

/** Returns the index of the first other repository that shares objects. Undefined if none does. */
export const find = (gitDir: string, others: ReadonlyArray<string>): number | undefined => {
  const pools = new Set(poolsOf(gitDir))
  if (pools.size === 0) return undefined
  const at = others.findIndex(
    (other) => pools.has(join(other, "objects")) || poolsOf(other).some((pool) => pools.has(pool))
  )
  return at === -1 ? undefined : at
}

/** True if a repository borrows objects. */
export const borrows = (gitDir: string): boolean => poolsOf(gitDir).length > 0
