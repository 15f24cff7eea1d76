/** Folders that belong to the program, made with what is missing above them. */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** Nobody but the owner may look into what is made here. */
const MODE = 0o700

/**
 * Makes a folder where there is none, or throws an error that says why there can be none.
 *
 * **Details**
 *
 * Node's own `recursive` never ends where the system makes no folder in one that is there, as in `/proc`: it takes the
 * parent for the one that is missing.
 */
export const make = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw new Error(`${path} is a file, and no folder`)
  const above = dirname(path)
  if (above !== path) make(above)
  try {
    mkdirSync(path, { mode: MODE })
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
    throw new Error(reason(path, above, error), { cause: error })
  }
}

/** The folder above is there, whatever the system says. */
const reason = (path: string, above: string, error: unknown) => {
  const { code = "", message } = error as NodeJS.ErrnoException // oxlint-disable-line typescript/no-unsafe-type-assertion -- what node:fs throws
  switch (code) {
    case "EEXIST":
      return `${path} is a link that leads nowhere`
    case "EACCES":
    case "EPERM":
      return `you may make no folder in ${above}`
    case "EROFS":
      return `${above} can only be read`
    case "ENOENT":
      return `no folder can be made in ${above}`
    case "ENOSPC":
      return `there is no room on the disk of ${above}`
    default:
      return message
  }
}
