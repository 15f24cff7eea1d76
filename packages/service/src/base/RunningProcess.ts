import type { ChildProcess } from "node:child_process"
import * as ProcessStatus from "./ProcessStatus.ts"
import { codeOf } from "./SystemError.ts"

/**
 * Sends a signal to a child process. Does nothing if the process could not be started: without an id, Node would signal
 * an arbitrary process or its own process group.
 */
export const signalChild = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid !== undefined) child.kill(signal)
}

/**
 * True if a process with this id runs, also of another user. An ended process keeps the id until the parent collects
 * the process, and some containers never do.
 */
export const isRunning = (pid: number): boolean => {
  // 0 and negative ids mean groups of processes.
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return ProcessStatus.read(pid)?.isZombie !== true
  } catch (error) {
    // EPERM means that the process belongs to another user.
    return codeOf(error) === "EPERM"
  }
}
