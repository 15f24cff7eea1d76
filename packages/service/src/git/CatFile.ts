import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Answer, CatFileProcess, type ObjectInfo, type Request } from "./CatFileProcess.ts"
import { Git } from "./Git.ts"
import { commandFailed, type GitError, gitError } from "./GitError.ts"

export interface ObjectContents extends ObjectInfo {
  readonly bytes: Buffer
}

export interface Limits {
  /** Processes over all repositories. */
  readonly processes: number
  /** Processes for one repository, so that one large object does not hold up all the others. */
  readonly perRepository: number
  /** Milliseconds after which a process with nothing to do ends. */
  readonly idleMillis: number
}

const defaults: Limits = { processes: 8, perRepository: 2, idleMillis: 15_000 }

/**
 * Objects by their name, through a bounded pool of `git cat-file` processes.
 *
 * **Details**
 *
 * Names are hexadecimal, whole or abbreviated, optionally with `^{commit}`; nothing else reaches git, and is simply not
 * found. Objects that other programs add are seen at once. When a process dies, what it left unanswered is asked once
 * more, one by one; an object that kills a process again fails alone.
 */
export class CatFile extends Context.Service<
  CatFile,
  {
    /** Type and size; `undefined` when there is no such object, or the abbreviation is ambiguous. */
    info(gitDir: string, name: string): Effect.Effect<ObjectInfo | undefined, GitError>
    /** With its bytes. `TooLarge` when there are more than `limit` of them. */
    contents(gitDir: string, name: string, limit: number): Effect.Effect<ObjectContents | undefined, GitError>
    /** Process ids that serve now. */
    readonly processes: Effect.Effect<ReadonlyArray<number>>
  }
>()("@tongs/service/git/CatFile") {
  static readonly layerWith = (limits: Partial<Limits> = {}): Layer.Layer<CatFile, never, Git> =>
    Layer.effect(
      CatFile,
      Effect.suspend(() => make({ ...defaults, ...limits }))
    )

  static readonly layer: Layer.Layer<CatFile, never, Git> = CatFile.layerWith()
}

const names = /^[0-9a-f]{4,64}(?:\^\{commit\})?$/

const make = Effect.fnUntraced(function* (limits: Limits) {
  const git = yield* Git
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(limits, (gitDir) => git.start(["cat-file", "--batch-command", "--buffer"], gitDir))),
    (pool) => Effect.sync(() => pool.close())
  )

  const ask = (command: Request["command"], gitDir: string, name: string, limit: number) =>
    Effect.callback<Answer | undefined, GitError>((resume) => {
      if (!names.test(name)) return resume(Effect.undefined)
      const request: Request = {
        command,
        name,
        limit,
        abandoned: false,
        answer: (answer) => resume(Effect.succeed(answer)),
        fail: (stderr) => resume(Effect.fail(commandFailed(["cat-file", name], null, stderr, gitDir)))
      }
      pool.add(gitDir, request)
      return Effect.sync(() => {
        request.abandoned = true
      })
    })

  return CatFile.of({
    info: (gitDir, name) => ask("info", gitDir, name, 0),
    contents: (gitDir, name, limit) =>
      Effect.flatMap(ask("contents", gitDir, name, limit), (answer) =>
        answer === undefined
          ? Effect.undefined
          : answer.bytes === undefined
            ? Effect.fail(gitError({ _tag: "TooLarge", what: answer.oid, size: answer.size, limit }))
            : Effect.succeed({ ...answer, bytes: answer.bytes })
      ),
    processes: Effect.sync(() => pool.pids())
  })
})

type Child = ConstructorParameters<typeof CatFileProcess>[0]

interface Member {
  readonly process: CatFileProcess
  readonly pid: number | undefined
  timer: NodeJS.Timeout | undefined
}

class Pool {
  readonly #limits: Limits
  readonly #start: (gitDir: string) => Child
  /** The least recently used first. */
  readonly #members = new Map<CatFileProcess, Member>()
  #waiting: Array<{ readonly gitDir: string; readonly request: Request }> = []
  #closed = false

  constructor(limits: Limits, start: (gitDir: string) => Child) {
    this.#limits = limits
    this.#start = start
  }

  add(gitDir: string, request: Request): void {
    if (this.#closed) return request.fail("the pool is closed")
    const process = this.#choose(gitDir)
    if (process === undefined) this.#waiting.push({ gitDir, request })
    else process.send(request)
  }

  pids(): ReadonlyArray<number> {
    return [...this.#members.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  close(): void {
    this.#closed = true
    for (const { process, timer } of this.#members.values()) {
      clearTimeout(timer)
      process.kill()
    }
    for (const { request } of this.#waiting.splice(0)) request.fail("the pool is closed")
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
    clearTimeout(this.#members.get(process)?.timer)
    this.#members.delete(process)
    const [first, ...others] = left
    if (first !== undefined && (this.#closed || process.careful)) first.fail(stderr)
    const again = process.careful ? others : left
    if (this.#closed) for (const request of others) request.fail(stderr)
    else if (again.length > 0) {
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
