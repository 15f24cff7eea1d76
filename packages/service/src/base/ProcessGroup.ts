/**
 * Groups of processes: a child process that was started with `detached`, and all descendants. The descendants are not
 * children of this process, so after the end of their parent only the group reaches them.
 */
import type { ChildProcess } from "node:child_process"
import { readdirSync } from "node:fs"
import { signalChild } from "./RunningProcess.ts"
import { read } from "./ProcessStatus.ts"
import { codeOf } from "./SystemError.ts"

/** Milliseconds between SIGTERM, after which git removes lock files, and SIGKILL. */
const GRACE_MILLIS = 1000

/**
 * Milliseconds after SIGKILL until a group counts as ended: the kernel keeps a process that waits for a broken disk.
 */
const KILL_MILLIS = 10_000

/** Milliseconds between two checks of a group, doubled each time. */
const FIRST_POLL_MILLIS = 5
const MAX_POLL_MILLIS = 160

const isWindows = process.platform === "win32"

const groups = new WeakMap<ChildProcess, ProcessGroup>()

/** Groups that have not ended. */
const running = new Set<ProcessGroup>()

let isWatchingExit = false

/** The group of a child process. When the child ends, all remaining processes of the group are ended. */
export class ProcessGroup {
  readonly #child: ChildProcess
  readonly #waiting: Array<() => void> = []
  #isEnding = false
  #isGone: boolean
  #isLeaderGone = false

  constructor(child: ChildProcess) {
    this.#child = child
    // A program that could not be started has no id.
    this.#isGone = child.pid === undefined
    if (this.#isGone) return
    running.add(this)
    // When this process ends, for example by an uncaught error, there is no time to wait.
    if (!isWatchingExit) process.once("exit", () => running.forEach((group) => group.signal("SIGKILL")))
    isWatchingExit = true
    child.once("exit", () => {
      this.#isLeaderGone = true
      if (isAlive(this.#child)) this.end()
      else this.#finish()
    })
  }

  /** Sends a signal to all processes of the group. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (this.#isGone || pid === undefined) return
    if (isWindows) return signalChild(this.#child, signal)
    try {
      process.kill(-pid, signal)
    } catch {
      // All processes have ended.
    }
  }

  /** Ends all processes: with SIGTERM, and after a second with SIGKILL. */
  end(): void {
    if (this.#isGone || this.#isEnding) return
    this.#isEnding = true
    this.signal("SIGTERM")
    const startedAt = performance.now()
    let isKilled = false
    let millis = FIRST_POLL_MILLIS
    const poll = () => {
      const elapsed = performance.now() - startedAt
      if (this.#isGone) return
      if (this.#isLeaderGone && !isAlive(this.#child)) return this.#finish()
      if (elapsed > GRACE_MILLIS + KILL_MILLIS) return this.#finish()
      if (elapsed > GRACE_MILLIS && !isKilled) {
        isKilled = true
        this.signal("SIGKILL")
      }
      millis = Math.min(2 * millis, MAX_POLL_MILLIS)
      setTimeout(poll, millis)
    }
    setTimeout(poll, millis)
  }

  /** Calls `run` when all processes have ended, immediately if none is left. */
  whenGone(run: () => void): void {
    if (this.#isGone) run()
    else this.#waiting.push(run)
  }

  #finish(): void {
    if (this.#isGone) return
    this.#isGone = true
    running.delete(this)
    for (const run of this.#waiting.splice(0)) run()
  }
}

/** The group of a child process, which must have been started with `detached`. */
export const of = (child: ChildProcess): ProcessGroup => {
  const known = groups.get(child)
  if (known !== undefined) return known
  const group = new ProcessGroup(child)
  groups.set(child, group)
  return group
}

/** True if the group of an ended child still has a process. */
const isAlive = ({ pid = 0 }: ChildProcess): boolean => {
  if (isWindows) return false
  try {
    process.kill(-pid, 0)
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
  return hasLiveMember(pid)
}

/** False if a group has only ended processes, which an `init` that does not collect processes keeps forever. */
const hasLiveMember = (group: number): boolean => {
  const all = processIds()
  return all === undefined || all.some((pid) => isMember(pid, group))
}

const isMember = (pid: number, group: number): boolean => {
  const status = read(pid)
  return status?.group === group && !status.isZombie
}

/** Ids of all processes. Undefined on systems without `/proc`. */
const processIds = (): ReadonlyArray<number> | undefined => {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return undefined
  }
}
