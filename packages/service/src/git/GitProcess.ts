/** The life of one git process: its deadline, its end, and what its end means. */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { commandFailed, type GitError, gitError, unavailable } from "./GitError.ts"

/** Milliseconds between SIGTERM, on which git removes its lock files, and SIGKILL; and again until it is given up. */
const graceMillis = 1000

const maxStderrBytes = 16 * 1024

export interface CommandDescription {
  readonly executable: string
  readonly args: ReadonlyArray<string>
  readonly gitDir: string | undefined
  /** Exit codes, besides 0, that are not a failure. */
  readonly acceptedExitCodes?: ReadonlyArray<number> | undefined
}

/** How a process ended: with an exit code that counts as a result, or with an error. */
export type ProcessExit = { readonly exitCode: number } | { readonly error: GitError }

/** Watches a process that was started. `onEnd` is called once, also for a process that cannot be killed. */
export class GitProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly #facts: CommandDescription
  readonly #onEnd: (end: ProcessExit) => void
  #stderr = ""
  #reason: ProcessExit | undefined
  #ended = false
  readonly #timers: Array<NodeJS.Timeout> = []
  readonly #waiting: Array<() => void> = []

  constructor(child: ChildProcessWithoutNullStreams, facts: CommandDescription, onEnd: (end: ProcessExit) => void) {
    this.child = child
    this.#facts = facts
    this.#onEnd = onEnd
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (this.#stderr.length < maxStderrBytes) this.#stderr += text
    })
    // A command that ends before it has read its input is judged by its exit code.
    child.stdin.on("error", () => {})
    child.stdout.on("error", () => {})
    child.on("error", (cause) => this.#end({ error: startError(facts.executable, cause) }))
    child.on("close", (exitCode) => this.#end(this.#reason ?? this.#judge(exitCode)))
  }

  /** Fails with `TimedOut` unless the process ends in time. */
  expire(millis: number, onExpired: () => void): void {
    this.after(millis, () => {
      this.stop({ error: deadlineError(this.#facts, millis) })
      onExpired()
    })
  }

  /** Calls `run` after a time, unless the process ends before. Gives the function that cancels it. */
  after(millis: number, run: () => void): () => void {
    const timer = setTimeout(run, millis).unref()
    this.#timers.push(timer)
    return () => clearTimeout(timer)
  }

  /** Calls `run` once the process has ended, now if it has. */
  whenEnded(run: () => void): void {
    if (this.#ended) run()
    else this.#waiting.push(run)
  }

  /** Ends the process; `end` is then how it ended. */
  stop(end: ProcessExit): void {
    if (this.#ended || this.#reason !== undefined) return
    this.#reason = end
    this.child.kill("SIGTERM")
    // A child of git's own would keep these open.
    this.child.stdin.destroy()
    this.child.stdout.destroy()
    this.child.stderr.destroy()
    this.after(graceMillis, () => {
      this.child.kill("SIGKILL")
      this.after(graceMillis, () => this.#end(end))
    })
  }

  #end(end: ProcessExit): void {
    if (this.#ended) return
    this.#ended = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#onEnd(end)
    for (const run of this.#waiting.splice(0)) run()
  }

  #judge(exitCode: number | null): ProcessExit {
    const { acceptedExitCodes, args, gitDir } = this.#facts
    return exitCode === 0 || (exitCode !== null && acceptedExitCodes?.includes(exitCode))
      ? { exitCode }
      : { error: commandFailed(args, exitCode, this.#stderr, gitDir) }
  }
}

/** The error of a command that missed its deadline. */
export const deadlineError = ({ args }: CommandDescription, millis: number): GitError =>
  gitError({ _tag: "TimedOut", operation: `git ${args[0]}`, seconds: millis / 1000 })

/** Codes of a machine that has no more processes, descriptors or memory at the moment. */
const exhaustionCodes = new Set<unknown>(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"])

const startError = (executable: string, cause: Error): GitError => {
  const code = "code" in cause ? cause.code : undefined
  if (exhaustionCodes.has(code)) return unavailable(`${executable} could not be started: ${cause.message}`)
  return gitError({
    _tag: "GitMissing",
    detail:
      code === "ENOENT"
        ? `${executable} could not be started (${cause.message}); install git 2.36 or newer`
        : `${executable} could not be started: ${cause.message}`
  })
}
