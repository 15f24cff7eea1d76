/** Finds loose objects that would block git: a pipe in place of a file blocks git until the deadline. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/** Digits of a full id without the two digits of the folder. */
const fullRest: ReadonlySet<number> = new Set([38, 62])

/**
 * Returns the path of a loose object with this full or abbreviated id that is not a regular file. Like git, follows
 * symbolic links.
 */
export const findIrregular = (gitDir: string, name: string): string | undefined => {
  const id = name.replace("^{commit}", "")
  const folder = join(gitDir, "objects", id.slice(0, 2))
  const rest = id.slice(2)
  const names = fullRest.has(rest.length) ? [rest] : entries(folder).filter((entry) => entry.startsWith(rest))
  return names.map((entry) => join(folder, entry)).find(isIrregular)
}

const isIrregular = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === false
  } catch {
    // git reports the reason.
    return false
  }
}

const entries = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
