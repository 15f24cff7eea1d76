/**
 * Long-lived `git update-ref --stdin` processes, at most one per repository, for consecutive transactions. Starting a
 * process blocks the event loop for milliseconds; a transaction does not.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import * as Effect from "effect/Effect"
import * as OpenFiles from "../../base/OpenFiles.ts"
import type { Git } from "../process/Git.ts"
import { commandFailed, type GitError } from "../values/GitError.ts"
import { deadlineError, GitProcess, type ProcessExit } from "../process/GitProcess.ts"

/** The repository of a transaction. */
export interface TransactionTarget {
  /** The isolated git directory. */
  readonly gitDir: string
  /** Changes when another repository replaces the one at the same path. A process never serves both. */
  readonly identity: string
  /** Settings of git, each `name=value`. */
  readonly settings: ReadonlyArray<string>
}

/** Runs transactions of references. */
export interface RefTransactions {
  /**
   * Runs commands in the format of `git update-ref --stdin -z` in one transaction. A target runs one at a time. Fails with
   * `CommandFailed` and exit code `null` if the process was killed, so that the outcome is unknown.
   */
  readonly run: (target: TransactionTarget, commands: string) => Effect.Effect<void, GitError>
  /** Ends the process of a git directory that is about to be removed. */
  readonly release: (gitDir: string) => void
}

/** Limits of the processes. */
export interface TransactionLimits {
  /** Maximum processes over all repositories. Above the maximum, each transaction runs in a separate process. */
  readonly processes: number
  /** Milliseconds after which an idle process ends. */
  readonly idleMillis: number
  /** Milliseconds after which a transaction fails with `TimedOut` and the process is killed. */
  readonly deadlineMillis: number
  /** Maximum transactions of a process, because git remembers each checked object. */
  readonly transactions: number
}

/** The limits in production. */
const defaults: TransactionLimits = {
  processes: OpenFiles.processesWithin(16),
  idleMillis: 15_000,
  deadlineMillis: 30_000,
  transactions: 1000
}

const updateRef = ["update-ref", "-m", "tongs", "--stdin", "-z"]

const inTransaction = (commands: string) => `start\0${commands}prepare\0commit\0`

/** Creates the processes on demand, and kills all processes when the scope closes. */
export const make = Effect.fnUntraced(function* (git: Git["Service"], limits: Partial<TransactionLimits> = {}) {
  const { deadlineMillis, idleMillis, processes, transactions } = { ...defaults, ...limits }
  /** Least recently used first. */
  const members = new Map<string, UpdateRefProcess>()
  const running = new Set<UpdateRefProcess>()
  yield* OpenFiles.relieve(() => {
    for (const process of members.values()) if (process.isIdle) end(process)
  })
  yield* Effect.addFinalizer(() =>
    Effect.forEach(running, (process) => process.stopAndWait, { concurrency: "unbounded", discard: true })
  )

  const end = (process: UpdateRefProcess) => {
    if (members.get(process.gitDir) === process) members.delete(process.gitDir)
    process.stop()
  }

  const open = ({ gitDir, identity, settings }: TransactionTarget) => {
    const args = [...settings.flatMap((setting) => ["-c", setting]), ...updateRef]
    const process = new UpdateRefProcess(git.start(args, gitDir), gitDir, keyOf({ identity, settings }), () => {
      running.delete(process)
      if (members.get(gitDir) === process) members.delete(gitDir)
    })
    running.add(process)
    return process
  }

  /** A process for the target. `undefined` if all are busy with other repositories. */
  const select = (target: TransactionTarget): UpdateRefProcess | undefined => {
    const known = members.get(target.gitDir)
    if (known !== undefined && (known.key !== keyOf(target) || known.count >= transactions)) end(known)
    else if (known !== undefined) {
      members.delete(target.gitDir)
      members.set(target.gitDir, known)
      return known
    }
    const idle = [...members.values()].find(({ isIdle }) => isIdle)
    if (members.size >= processes) {
      if (idle === undefined) return undefined
      end(idle)
    }
    const opened = open(target)
    members.set(target.gitDir, opened)
    return opened
  }

  return {
    run: (target, commands) =>
      Effect.suspend(() => {
        const process = select(target)
        const input = inTransaction(commands)
        if (process?.isIdle === true)
          return process.run(input, deadlineMillis, () => process.after(idleMillis, () => end(process)))
        const { gitDir, settings } = target
        return Effect.asVoid(git.run(updateRef, { gitDir, settings, input }))
      }),
    release: (gitDir) => {
      const process = members.get(gitDir)
      if (process !== undefined) end(process)
    }
  } satisfies RefTransactions
})

const keyOf = ({ identity, settings }: Pick<TransactionTarget, "identity" | "settings">) =>
  [identity, ...settings].join("\0")

/** One process, which runs one transaction at a time. */
class UpdateRefProcess {
  readonly gitDir: string
  /** Identity and settings at the start of the process. */
  readonly key: string
  readonly #process: GitProcess
  #count = 0
  #output = ""
  #finish: ((result: Effect.Effect<void, GitError>) => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(child: ChildProcessWithoutNullStreams, gitDir: string, key: string, onEnd: () => void) {
    this.gitDir = gitDir
    this.key = key
    this.#process = new GitProcess(child, descriptionOf(gitDir), (exit) => {
      onEnd()
      this.#settle(Effect.fail(errorOf(exit, gitDir)))
    })
    child.stdout.setEncoding("latin1").on("data", (text: string) => {
      this.#output += text
      if (this.#output.endsWith("commit: ok\n")) this.#settle(Effect.void)
    })
  }

  /** Number of transactions so far. */
  get count(): number {
    return this.#count
  }

  get isIdle(): boolean {
    return this.#finish === undefined
  }

  /** Runs a transaction. Calls `onIdle` when the process can take the next one. */
  run(input: string, millis: number, onIdle: () => void): Effect.Effect<void, GitError> {
    return Effect.callback<void, GitError>((resume) => {
      this.#count++
      this.#output = ""
      this.#finish = (result) => {
        onIdle()
        resume(result)
      }
      this.after(millis, () => this.#process.stop({ error: deadlineError(descriptionOf(this.gitDir), millis) }))
      this.#process.child.stdin.write(input)
    })
  }

  /** Calls `run` after `millis`. Cancels the previous timer. */
  after(millis: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, millis).unref()
  }

  stop(): void {
    this.#process.stop({ exitCode: 0 })
  }

  readonly stopAndWait = Effect.callback<void>((resume) => {
    this.#process.whenEnded(() => resume(Effect.void))
    this.stop()
  })

  #settle(result: Effect.Effect<void, GitError>): void {
    const finish = this.#finish
    this.#finish = undefined
    clearTimeout(this.#timer)
    finish?.(result)
  }
}

const descriptionOf = (gitDir: string) => ({ executable: "git", args: updateRef, gitDir })

const errorOf = (exit: ProcessExit, gitDir: string): GitError =>
  "error" in exit ? exit.error : commandFailed(updateRef, null, "the process ended during a transaction", gitDir)
