/**
 * Names of processes in names of files, by which a later process recognizes what an ended process left behind. An id
 * alone proves nothing about a process of another machine or container that shares the folder.
 */
import { createHash } from "node:crypto"
import { readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { isRunning } from "./RunningProcess.ts"

/** The namespace of process ids: of the machine, or of a container. Only Linux has namespaces. */
const pidNamespace = () => {
  try {
    return readlinkSync("/proc/self/ns/pid")
  } catch {
    return ""
  }
}

/** Name of this machine or container. */
const host = createHash("sha256").update(`${hostname()}\n${pidNamespace()}`).digest("hex").slice(0, 12)

/** Name of this process: the id and the host. */
export const own = `${process.pid}.${host}`

/** Regular expression of a name, with groups for the id and the host. Names of earlier versions have no host. */
export const PATTERN = String.raw`(\d+)(?:\.([0-9a-f]{12}))?`

/** True if the process may run on another host, where this process cannot see it. */
export const isElsewhere = (of: string | undefined): boolean => of !== undefined && of !== host

/** Milliseconds after which no process still uses what it began. The longest limit of git's work is four hours. */
const MAX_AGE = 24 * 60 * 60_000

/** True if the process that left something of this age, in milliseconds, has ended. */
export const hasEnded = (pid: string | undefined, of: string | undefined, age: number): boolean =>
  isElsewhere(of) ? age > MAX_AGE : !isRunning(Number(pid))
