/** Folders for building content before a rename to the final path. The names contain the process id. */
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { isRunning } from "../../base/RunningProcess.ts"
import { entries } from "./Files.ts"

/** Creates a temporary folder in `parent`. */
export const make = (parent: string): Promise<string> => mkdtemp(join(parent, `.new-${process.pid}-`))

/** Temporary folders in `parent` that ended processes left behind. */
export const abandoned = (parent: string): ReadonlyArray<string> =>
  entries(parent).flatMap((entry) => {
    const [, pid] = /^\.new-(?:(\d+)-)?/.exec(entry.name) ?? []
    return entry.isDirectory() && entry.name.startsWith(".new-") && !isRunning(Number(pid))
      ? [join(parent, entry.name)]
      : []
  })
