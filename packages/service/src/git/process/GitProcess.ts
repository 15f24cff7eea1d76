/** Supervises one git process: deadlines, termination and the meaning of the exit. */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import * as ProcessGroup from "../../base/ProcessGroup.ts"
import { commandFailed, type GitError, gitError, unavailable } from "../values/GitError.ts"

const MAX_STDERR_BYTES = 16 * 1024

/** Properties of a command for error messages. */
export interface CommandDescription {
  readonly executable: string
  readonly args: ReadonlyArray<string>
  readonly gitDir: string | undefined
  /** Exit codes besides 0 that are not a failure. */
  readonly acceptedExitCodes?: ReadonlyArray<number> | undefined
}

/** Result of a process: an accepted exit code or an error. */
export type ProcessExit = { readonly exitCode: number } | { readonly error: GitError }

/**
 * Supervises a started process and all descendants. Calls `onEnd` once when all have ended, even if one cannot be
 * killed.
 */
export class GitProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly #description: CommandDescription
  readonly #onEnd: (end: ProcessExit) => void
  #stderr = ""
  #reason: ProcessExit | undefined
  #ended = false
  readonly #timers: Array<NodeJS.Timeout> = []
  readonly #waiting: Array<() => void> = []

  constructor(
    child: ChildProcessWithoutNullStreams,
    description: CommandDescription,
    onEnd: (end: ProcessExit) => void
  ) {
    this.child = child
    this.#description = description
    this.#onEnd = onEnd
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (this.#stderr.length < MAX_STDERR_BYTES) this.#stderr += text
    })
    // If a command exits before reading all input, the exit code decides.
    child.stdin.on("error", () => {})
    child.stdout.on("error", () => {})
    child.on("error", (cause) => this.#end({ error: startError(description.executable, cause) }))
    const group = ProcessGroup.of(child)
    child.on("close", (exitCode) => group.whenGone(() => this.#end(this.#reason ?? this.#judge(exitCode))))
  }

  /** Stops a process with `TimedOut` and calls `onExpired` after `millis` milliseconds. */
  expire(millis: number, onExpired: () => void): void {
    this.after(millis, () => {
      this.stop({ error: deadlineError(this.#description, millis) })
      onExpired()
    })
  }

  /** Calls `run` after `millis` milliseconds unless the process ends first. */
  after(millis: number, run: () => void): NodeJS.Timeout {
    const timer = setTimeout(run, millis).unref()
    this.#timers.push(timer)
    return timer
  }

  /** Calls `run` when the process has ended, immediately for an ended process. */
  whenEnded(run: () => void): void {
    if (this.#ended) run()
    else this.#waiting.push(run)
  }

  /** Stops the process group, and reports `end` as the result. */
  stop(end: ProcessExit): void {
    if (this.#ended || this.#reason !== undefined) return
    this.#reason = end
    const group = ProcessGroup.of(this.child)
    group.end()
    // A process that ignores both signals could keep the pipes open.
    this.child.stdin.destroy()
    this.child.stdout.destroy()
    this.child.stderr.destroy()
    group.whenGone(() => this.#end(end))
  }

  #end(end: ProcessExit): void {
    if (this.#ended) return
    this.#ended = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#onEnd(end)
    for (const run of this.#waiting.splice(0)) run()
  }

  #judge(exitCode: number | null): ProcessExit {
    const { acceptedExitCodes, args, gitDir } = this.#description
    return exitCode === 0 || (exitCode !== null && acceptedExitCodes?.includes(exitCode))
      ? { exitCode }
      : { error: commandFailed(args, exitCode, this.#stderr, gitDir) }
  }
}

/** The error of a command that ran longer than `millis` milliseconds. */
export const deadlineError = ({ args }: CommandDescription, millis: number): GitError =>
  gitError({ _tag: "TimedOut", operation: `git ${args[0]}`, seconds: millis / 1000 })

/** Error codes when the machine temporarily lacks processes, file descriptors or memory. */
const exhaustionCodes = new Set<unknown>(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"])

const startError = (executable: string, cause: Error): GitError => {
  const code = "code" in cause ? cause.code : undefined
  if (exhaustionCodes.has(code)) return unavailable(`Cannot start ${executable}: ${cause.message}`)
  return gitError({
    _tag: "GitMissing",
    detail:
      code === "ENOENT"
        ? `Cannot start ${executable} (${cause.message}). Install git 2.37 or newer.`
        : `Cannot start ${executable}: ${cause.message}`
  })
}
