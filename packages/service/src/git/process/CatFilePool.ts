import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process"
import * as OpenFiles from "../../base/OpenFiles.ts"
import { CatFileProcess, expire, type ObjectRequest } from "./CatFileProcess.ts"

export interface CatFileLimits {
  /** Maximum number of processes that are not slow, over all repositories. */
  readonly processes: number
  /** Maximum number of processes per repository. */
  readonly perRepository: number
  /** Milliseconds after which an idle process ends. */
  readonly idleMillis: number
  /** Milliseconds without output after which a busy process is slow and no longer counts towards `processes`. */
  readonly slowMillis: number
  /** Milliseconds without output after which a busy process is killed and replaced. */
  readonly hungMillis: number
  /** Milliseconds after which a request fails, including retries. */
  readonly requestMillis: number
  /** Maximum number of processes over all repositories, including slow ones. */
  readonly maxProcesses: number
}

/** The limits in production. */
export const defaults: CatFileLimits = {
  processes: OpenFiles.processesWithin(8),
  perRepository: 2,
  idleMillis: 15_000,
  slowMillis: 250,
  hungMillis: 10_000,
  requestMillis: 30_000,
  maxProcesses: OpenFiles.processesWithin(64)
}

interface Member {
  readonly process: CatFileProcess
  readonly pid: number | undefined
  timer: NodeJS.Timeout | undefined
}

/** Milliseconds for which a request waits for a free file descriptor. */
const MAX_SHORTAGE_MILLIS = 2000

/** Messages of git when the machine runs out of resources. The requested object is not to blame. */
const exhaustion = /out of memory|cannot allocate memory|too many open files|temporarily unavailable/i

/** A bounded pool of `git cat-file` processes, started on demand. */
export class CatFilePool {
  readonly #limits: CatFileLimits
  readonly #start: (gitDir: string) => ChildProcessWithoutNullStreams
  /** Least recently used first. */
  readonly #members = new Map<CatFileProcess, Member>()
  /** Processes that have not exited yet, including processes already removed from the pool. */
  readonly #children = new Set<ChildProcess>()
  #waiting: Array<{ readonly gitDir: string; readonly request: ObjectRequest }> = []
  #monitor: NodeJS.Timeout | undefined
  #closed = false
  readonly #ignoreShortage: () => void

  constructor(limits: CatFileLimits, start: (gitDir: string) => ChildProcessWithoutNullStreams) {
    this.#limits = limits
    this.#start = start
    this.#ignoreShortage = OpenFiles.onShortage(() => this.#endIdle())
  }

  /** Sends a request to a process of the repository, or queues the request until the pool has capacity. */
  add(gitDir: string, request: ObjectRequest): void {
    if (this.#closed) return request.fail({ stderr: "the pool is closed", isUnreadable: false })
    this.#watch()
    const process = this.#select(gitDir)
    if (process === undefined) this.#waiting.push({ gitDir, request })
    else process.send(request)
  }

  #watch(): void {
    this.#monitor ??= setInterval(() => this.#inspect(), this.#limits.slowMillis / 2).unref()
  }

  /** Ends the processes of a repository that is about to be removed. */
  release(gitDir: string): void {
    for (const process of this.#members.keys()) if (process.gitDir === gitDir) this.#end(process)
  }

  /** Ids of the processes in the pool. */
  pids(): ReadonlyArray<number> {
    return [...this.#members.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  /** Kills all processes and waits for the exits, because nothing reaps the children of a finished worker thread. */
  async close(): Promise<void> {
    this.#closed = true
    this.#ignoreShortage()
    clearInterval(this.#monitor)
    const gone = [...this.#children].map((child) => new Promise((resolve) => child.once("close", resolve)))
    for (const { process, timer } of this.#members.values()) {
      clearTimeout(timer)
      process.kill()
    }
    for (const { request } of this.#waiting.splice(0))
      request.fail({ stderr: "the pool is closed", isUnreadable: false })
    await Promise.all(gone)
  }

  /** The least busy process of the repository, or a new process if all are busy and the limits allow another. */
  #select(gitDir: string): CatFileProcess | undefined {
    const own = [...this.#members.keys()].filter((process) => process.gitDir === gitDir)
    const best = own.filter((process) => !process.serial).sort((a, b) => a.load - b.load)[0]
    const wanted = best === undefined || (best.load > 0 && own.length < this.#limits.perRepository)
    const chosen = wanted && this.#makeRoom(best !== undefined) ? this.#open(gitDir, false) : best
    const member = chosen === undefined ? undefined : this.#members.get(chosen)
    if (chosen === undefined || member === undefined) return undefined
    clearTimeout(member.timer)
    this.#members.delete(chosen)
    this.#members.set(chosen, member)
    return chosen
  }

  /** True if another process may start. Unless `optional`, ends an idle process of another repository to make room. */
  #makeRoom(optional: boolean): boolean {
    const counted = [...this.#members.keys()].filter((process) => process.silence < this.#limits.slowMillis)
    if (counted.length < this.#limits.processes && this.#members.size < this.#limits.maxProcesses) return true
    if (optional) return false
    const idle = [...this.#members.keys()].find((process) => process.load === 0)
    if (idle === undefined) return false
    this.#end(idle)
    return true
  }

  #endIdle(): void {
    for (const process of this.#members.keys()) if (process.load === 0) this.#end(process)
  }

  #open(gitDir: string, serial: boolean): CatFileProcess {
    const child = this.#start(gitDir)
    if (child.pid !== undefined) this.#children.add(child)
    child.once("close", () => this.#children.delete(child))
    const process = new CatFileProcess(child, gitDir, serial, {
      onIdle: (process) => this.#onIdle(process),
      onExit: (process, pending, stderr) => this.#onExit(process, pending, stderr)
    })
    this.#members.set(process, { process, pid: child.pid, timer: undefined })
    return process
  }

  #end(process: CatFileProcess): void {
    clearTimeout(this.#members.get(process)?.timer)
    this.#members.delete(process)
    process.kill()
  }

  #onIdle(process: CatFileProcess): void {
    const member = this.#members.get(process)
    if (member === undefined) return
    if (process.serial) this.#end(process)
    else member.timer = setTimeout(() => this.#end(process), this.#limits.idleMillis).unref()
    this.#admit()
  }

  #onExit(process: CatFileProcess, pending: ReadonlyArray<ObjectRequest>, stderr: string): void {
    const member = this.#members.get(process)
    clearTimeout(member?.timer)
    this.#members.delete(process)
    if (!this.#closed && member?.pid === undefined && OpenFiles.isShortage(stderr)) {
      return this.#postpone(process.gitDir, pending, stderr)
    }
    // Without git or without a repository a new process would fail, too.
    const isHopeless = this.#closed || member?.pid === undefined || /not a git repository/.test(stderr)
    const failing = isHopeless ? pending : process.serial ? pending.slice(0, 1) : []
    // Empty stderr does not mean an unreadable object: a process killed from outside prints nothing.
    const isUnreadable = !isHopeless && stderr !== "" && !exhaustion.test(stderr)
    for (const request of failing) request.fail({ stderr, isUnreadable, timedOut: process.hung })
    const again = pending.slice(failing.length)
    if (again.length > 0) {
      const serial = this.#open(process.gitDir, true)
      for (const request of again) serial.send(request)
    }
    this.#admit()
  }

  /** Lets requests wait for a free file descriptor until the next inspection, for at most two seconds. */
  #postpone(gitDir: string, pending: ReadonlyArray<ObjectRequest>, stderr: string): void {
    this.#watch()
    const latest = performance.now() - MAX_SHORTAGE_MILLIS
    for (const request of pending) {
      if (request.startedAt < latest) request.fail({ stderr, isUnreadable: false })
      else this.#waiting.push({ gitDir, request })
    }
  }

  /**
   * Kills hanging processes, fails requests that are overdue or block git, and admits requests that waited for a slow
   * process.
   */
  #inspect(): void {
    const { hungMillis, requestMillis, slowMillis } = this.#limits
    const latest = performance.now() - requestMillis
    const busy = [...this.#members.keys()].filter((process) => process.load > 0)
    for (const process of busy) {
      process.expire(latest)
      if (process.silence >= slowMillis) process.failIrregular()
      process.killIfSilent(hungMillis)
    }
    for (const { request } of this.#waiting) expire(request, latest)
    if (this.#waiting.length > 0) this.#admit()
    if (busy.length > 0 || this.#waiting.length > 0) return
    clearInterval(this.#monitor)
    this.#monitor = undefined
  }

  #admit(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { gitDir, request } of waiting) if (!request.abandoned) this.add(gitDir, request)
  }
}
