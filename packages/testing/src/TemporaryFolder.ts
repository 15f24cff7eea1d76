/** Temporary folders of forges, which are also removed if a process ends without `close`. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"

/** Contains the name of the host, because containers can share a temporary folder, but not process ids. */
const prefix = `tongs-testing-${hostname().replaceAll(/[^\w.]/g, "")}-`

/** Options of `rm`. Other processes, for example git, can create files during the removal. */
const all = { recursive: true, force: true, maxRetries: 5 } as const

/** Folders of the running forges. */
const open = new Set<string>()

const warn = () => {
  console.error(
    `@tongs/testing: ${open.size} ${open.size === 1 ? "forge was" : "forges were"} not closed, which can delay the end of the process by 15 seconds. Call close(), or declare it with \`await using\``
  )
}

const removeOpen = () => {
  for (const path of open) rmSync(path, all)
}

/** Removes the folders of processes that were killed. */
const removeAbandoned = async () => {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))
  const abandoned = folders.filter((name) => !isRunning(Number.parseInt(name.slice(prefix.length))))
  // Another process can remove the same folder.
  await Promise.allSettled(abandoned.map((name) => rm(join(tmpdir(), name), all)))
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH")
  }
}

let swept: Promise<void> | undefined

/** Creates a folder. */
export const make = () => {
  swept ??= removeAbandoned()
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  // Only while a forge runs, because some test runners load this module again for each file of a process.
  if (open.size === 0) process.on("beforeExit", warn).on("exit", removeOpen)
  open.add(path)
  return {
    path,
    remove: async (): Promise<void> => {
      await Promise.all([swept, rm(path, all)])
      open.delete(path)
      if (open.size === 0) process.off("beforeExit", warn).off("exit", removeOpen)
    }
  }
}
