/** Folders in which something is made before it is moved to its place. Each names the process that makes it. */
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { entries } from "./Files.ts"

/** Makes one in `parent`. */
export const make = (parent: string): Promise<string> => mkdtemp(join(parent, `.new-${process.pid}-`))

/** Those in `parent` whose process has ended. */
export const abandoned = (parent: string): ReadonlyArray<string> =>
  entries(parent).flatMap((entry) => {
    const [, pid] = /^\.new-(?:(\d+)-)?/.exec(entry.name) ?? []
    return entry.isDirectory() && entry.name.startsWith(".new-") && !isRunning(Number(pid))
      ? [join(parent, entry.name)]
      : []
  })

const isRunning = (pid: number): boolean => {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // Another user's process runs, too.
    return !(cause instanceof Error && "code" in cause && cause.code === "ESRCH")
  }
}
