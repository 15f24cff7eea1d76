/** Facts about processes from `/proc` (proc_pid_stat(5)), which only Linux has. */
import { readFileSync } from "node:fs"

export interface ProcessStatus {
  readonly isZombie: boolean
  readonly group: number
  readonly session: number
  /** Clock ticks since the start of the machine. Together with the id, the ticks identify a process forever. */
  readonly startedAt: string
  /** CPU time in seconds, including ended children. */
  readonly cpuSeconds: number
}

/** Ticks of a second in `/proc`, the same on all platforms of Node. */
const TICKS_PER_SECOND = 100

/** Reads the facts about a process. Undefined if the process does not exist, or the system has no `/proc`. */
export const read = (pid: number): ProcessStatus | undefined => {
  const text = readText(`/proc/${pid}/stat`)
  // The name of the program is in parentheses, and can contain any character.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ")
  if (fields === undefined || fields.length < 20) return undefined
  const [state, , group, session] = fields
  return {
    isZombie: state === "Z" || state === "X",
    group: Number(group),
    session: Number(session),
    startedAt: fields[19] ?? "",
    cpuSeconds: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
  }
}

/** CPU time in seconds of a process, of running descendants, and of ended descendants that a parent has waited for. */
export const totalCpuSeconds = (pid: number): number =>
  children(pid).reduce((sum, child) => sum + totalCpuSeconds(child), read(pid)?.cpuSeconds ?? 0)

/** Ids of the running processes that a thread has started, by default the first thread. */
export const children = (pid: number, thread = pid): ReadonlyArray<number> =>
  readText(`/proc/${pid}/task/${thread}/children`)?.split(" ").filter(Boolean).map(Number) ?? []

/** The environment of a process at the start. Undefined without the permission to read the environment. */
export const environment = (pid: number): ReadonlyArray<string> | undefined =>
  readText(`/proc/${pid}/environ`)?.split("\0")

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return undefined
  }
}
