import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process"
import { CatFileProcess, expire, type ObjectRequest } from "./CatFileProcess.ts"

export interface CatFileLimits {
  /** Processes over all repositories. */
  readonly processes: number
  /** Processes for one repository, so that one large object does not hold up all the others. */
  readonly perRepository: number
  /** Milliseconds after which a process with nothing to do ends. */
  readonly idleMillis: number
  /** Milliseconds without output after which a busy process no longer counts, so that another may start beside it. */
  readonly slowMillis: number
  /** Milliseconds without output after which a busy process is killed and replaced. */
  readonly hungMillis: number
  /** Milliseconds after which a request fails, however often its process was replaced. */
  readonly requestMillis: number
  /** Processes over all repositories, slow ones included. */
  readonly maxProcesses: number
}

export const defaults: CatFileLimits = {
  processes: 8,
  perRepository: 2,
  idleMillis: 15_000,
  slowMillis: 250,
  hungMillis: 10_000,
  requestMillis: 30_000,
  maxProcesses: 64
}

interface Member {
  readonly process: CatFileProcess
  readonly pid: number | undefined
  timer: NodeJS.Timeout | undefined
}

/** What git says of a machine that has no more to give: no object is to blame. */
const exhaustion = /out of memory|cannot allocate memory|too many open files|temporarily unavailable/i

/** A bounded number of `git cat-file` processes, each started when it is needed. */
export class CatFilePool {
  readonly #limits: CatFileLimits
  readonly #start: (gitDir: string) => ChildProcessWithoutNullStreams
  /** The least recently used first. */
  readonly #members = new Map<CatFileProcess, Member>()
  /** Those that have not ended yet. */
  readonly #children = new Set<ChildProcess>()
  #waiting: Array<{ readonly gitDir: string; readonly request: ObjectRequest }> = []
  #monitor: NodeJS.Timeout | undefined
  #closed = false

  constructor(limits: CatFileLimits, start: (gitDir: string) => ChildProcessWithoutNullStreams) {
    this.#limits = limits
    this.#start = start
  }

  add(gitDir: string, request: ObjectRequest): void {
    if (this.#closed) return request.fail({ stderr: "the pool is closed", isUnreadable: false })
    this.#monitor ??= setInterval(() => this.#inspect(), this.#limits.slowMillis / 2).unref()
    const process = this.#select(gitDir)
    if (process === undefined) this.#waiting.push({ gitDir, request })
    else process.send(request)
  }

  pids(): ReadonlyArray<number> {
    return [...this.#members.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  /** Ends the processes, and waits until they are gone: what a thread leaves behind, nobody collects. */
  async close(): Promise<void> {
    this.#closed = true
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

  /** The least busy process of the repository, or a new one where that is allowed and helps. */
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

  /** Whether there is room for one more; ends an idle process of another repository unless that is `optional`. */
  #makeRoom(optional: boolean): boolean {
    const counted = [...this.#members.keys()].filter((process) => process.silence < this.#limits.slowMillis)
    if (counted.length < this.#limits.processes && this.#members.size < this.#limits.maxProcesses) return true
    if (optional) return false
    const idle = [...this.#members.keys()].find((process) => process.load === 0)
    if (idle === undefined) return false
    this.#end(idle)
    return true
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
    // Where there is no git, or nothing for it to read, another process would fare no better.
    const isHopeless = this.#closed || member?.pid === undefined || /not a git repository/.test(stderr)
    const failing = isHopeless ? pending : process.serial ? pending.slice(0, 1) : []
    // One that is killed from outside says nothing.
    const isUnreadable = !isHopeless && stderr !== "" && !exhaustion.test(stderr)
    for (const request of failing) request.fail({ stderr, isUnreadable, timedOut: process.hung })
    const again = pending.slice(failing.length)
    if (again.length > 0) {
      const serial = this.#open(process.gitDir, true)
      for (const request of again) serial.send(request)
    }
    this.#admit()
  }

  /** Kills processes that hang, fails requests that took too long, and starts what had to wait for a slow process. */
  #inspect(): void {
    const { hungMillis, requestMillis } = this.#limits
    const latest = performance.now() - requestMillis
    const busy = [...this.#members.keys()].filter((process) => process.load > 0)
    for (const process of busy) {
      process.expire(latest)
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
