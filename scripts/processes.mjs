/** What runs on this machine, as far as `ps` tells: nothing where there is none, as on Windows. */
import { execFileSync } from "node:child_process"

/**
 * @typedef {{ pid: number, parent: number, command: string }} Process
 */

/** @returns {Array<Process>} */
export const processes = () => {
  try {
    return execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
      .split("\n")
      .flatMap((line) => {
        const [, pid, parent, state = "Z", command = ""] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? []
        // One that has ended, and of which nobody has taken note yet, is none.
        return state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
      })
  } catch {
    return []
  }
}

/**
 * Those of the processes that are there, and all that they started.
 * @param {Iterable<number>} pids
 */
export const families = (pids) => {
  const members = new Set(pids)
  const all = processes()
  let size
  do {
    size = members.size
    for (const { parent, pid } of all) if (members.has(parent)) members.add(pid)
  } while (members.size > size)
  return new Set(all.filter(({ pid }) => members.has(pid)).map(({ pid }) => pid))
}

/**
 * @param {Iterable<number>} pids
 * @param {NodeJS.Signals} signal
 */
export const signalAll = (pids, signal) => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
}
