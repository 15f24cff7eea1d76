/** Creates the folders of the program, including missing parent folders. */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** File mode of created folders: only the owner has access. */
const MODE = 0o700

/**
 * Creates a missing folder. Throws an error with the reason if that fails.
 *
 * **Details**
 *
 * Does not use `recursive` of `mkdir`: Node loops forever in a folder such as `/proc`, where creating a subfolder fails
 * with ENOENT.
 */
export const make = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw new Error(`${path} is a file, not a folder`)
  const above = dirname(path)
  if (above !== path) make(above)
  try {
    mkdirSync(path, { mode: MODE })
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
    throw new Error(reason(path, above, error), { cause: error })
  }
}

/** Describes a failure to create `path`. The parent folder `above` exists, so ENOENT cannot mean a missing parent. */
const reason = (path: string, above: string, error: unknown) => {
  const { code = "", message } = error as NodeJS.ErrnoException // oxlint-disable-line typescript/no-unsafe-type-assertion -- what node:fs throws
  switch (code) {
    case "EEXIST":
      return `${path} is a broken symbolic link`
    case "EACCES":
    case "EPERM":
      return `no permission to create a folder in ${above}`
    case "EROFS":
      return `${above} is read-only`
    case "ENOENT":
      return `${above} does not allow new folders`
    case "ENOSPC":
      return `no space left on the disk of ${above}`
    default:
      return message
  }
}
