import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process"
import { CatFileProcess, type Request } from "./CatFileProcess.ts"

export interface Limits {
  /** Processes over all repositories. */
  readonly processes: number
  /** Processes for one repository, so that one large object does not hold up all the others. */
  readonly perRepository: number
  /** Milliseconds after which a process with nothing to do ends. */
  readonly idleMillis: number
}

interface Member {
  readonly process: CatFileProcess
  readonly pid: number | undefined
  timer: NodeJS.Timeout | undefined
}

/** What git says of a machine that has no more to give: no object is to blame. */
const exhaustion = /out of memory|cannot allocate memory|too many open files|temporarily unavailable/i

/** A bounded number of `git cat-file` processes, each started when it is needed. */
export class Pool {
  readonly #limits: Limits
  readonly #start: (gitDir: string) => ChildProcessWithoutNullStreams
  /** The least recently used first. */
  readonly #members = new Map<CatFileProcess, Member>()
  /** Those that have not ended yet. */
  readonly #children = new Set<ChildProcess>()
  #waiting: Array<{ readonly gitDir: string; readonly request: Request }> = []
  #closed = false

  constructor(limits: Limits, start: (gitDir: string) => ChildProcessWithoutNullStreams) {
    this.#limits = limits
    this.#start = start
  }

  add(gitDir: string, request: Request): void {
    if (this.#closed) return request.fail("the pool is closed", false)
    const process = this.#choose(gitDir)
    if (process === undefined) this.#waiting.push({ gitDir, request })
    else process.send(request)
  }

  pids(): ReadonlyArray<number> {
    return [...this.#members.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  /** Ends the processes, and waits until they are gone: what a thread leaves behind, nobody collects. */
  async close(): Promise<void> {
    this.#closed = true
    const gone = [...this.#children].map((child) => new Promise((resolve) => child.once("close", resolve)))
    for (const { process, timer } of this.#members.values()) {
      clearTimeout(timer)
      process.kill()
    }
    for (const { request } of this.#waiting.splice(0)) request.fail("the pool is closed", false)
    await Promise.all(gone)
  }

  /** The least busy process of the repository, or a new one where that is allowed and helps. */
  #choose(gitDir: string): CatFileProcess | undefined {
    const own = [...this.#members.keys()].filter((process) => process.gitDir === gitDir)
    const best = own.filter((process) => !process.careful).sort((a, b) => a.load - b.load)[0]
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
    if (this.#members.size < this.#limits.processes) return true
    if (optional) return false
    const idle = [...this.#members.keys()].find((process) => process.load === 0)
    if (idle === undefined) return false
    this.#end(idle)
    return true
  }

  #open(gitDir: string, careful: boolean): CatFileProcess {
    const child = this.#start(gitDir)
    if (child.pid !== undefined) this.#children.add(child)
    child.once("close", () => this.#children.delete(child))
    const process = new CatFileProcess(child, gitDir, careful, {
      idle: (process) => this.#idle(process),
      died: (process, left, stderr) => this.#died(process, left, stderr)
    })
    this.#members.set(process, { process, pid: child.pid, timer: undefined })
    return process
  }

  #end(process: CatFileProcess): void {
    clearTimeout(this.#members.get(process)?.timer)
    this.#members.delete(process)
    process.kill()
  }

  #idle(process: CatFileProcess): void {
    const member = this.#members.get(process)
    if (member === undefined) return
    if (process.careful) this.#end(process)
    else member.timer = setTimeout(() => this.#end(process), this.#limits.idleMillis).unref()
    this.#admit()
  }

  #died(process: CatFileProcess, left: ReadonlyArray<Request>, stderr: string): void {
    const member = this.#members.get(process)
    clearTimeout(member?.timer)
    this.#members.delete(process)
    // Where there is no git, or nothing for it to read, another process would fare no better.
    const isHopeless = this.#closed || member?.pid === undefined || /not a git repository/.test(stderr)
    const failing = isHopeless ? left : process.careful ? left.slice(0, 1) : []
    // One that is killed from outside says nothing.
    const isUnreadable = !isHopeless && stderr !== "" && !exhaustion.test(stderr)
    for (const request of failing) request.fail(stderr, isUnreadable)
    const again = left.slice(failing.length)
    if (again.length > 0) {
      const careful = this.#open(process.gitDir, true)
      for (const request of again) careful.send(request)
    }
    this.#admit()
  }

  #admit(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { gitDir, request } of waiting) if (!request.abandoned) this.add(gitDir, request)
  }
}
