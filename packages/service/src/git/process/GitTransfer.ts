/**
 * Runs a git command whose output Node pipes into a response. A stream of Effect takes three times as long for a pack of
 * hundreds of megabytes.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import type { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { GitError } from "../values/GitError.ts"
import * as GitExchange from "./GitExchange.ts"
import { type CommandDescription, deadlineError, GitProcess, type ProcessExit } from "./GitProcess.ts"
import type * as GitStream from "./GitStream.ts"

/**
 * Starts the command, waits for the first output or the end, and gives standard output. The scope stops the command and
 * waits for the exit. `onFailure` receives an error after the first output.
 */
export const open = Effect.fnUntraced(function* (
  start: () => ChildProcessWithoutNullStreams,
  description: CommandDescription,
  input: GitExchange.Input,
  deadlines: GitStream.Deadlines,
  onFailure: (error: GitError) => void
): Effect.fn.Return<Readable, GitError, Scope.Scope> {
  let end: ProcessExit | undefined
  let isStarted = false
  const process = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new GitProcess(start(), description, (result) => {
          end = result
          if (isStarted && "error" in result) onFailure(result.error)
        })
    ),
    (git) =>
      Effect.callback<void>((resume) => {
        git.whenEnded(() => resume(Effect.void))
        git.stop({ exitCode: 0 })
      })
  )
  const { stdout } = process.child
  const progress = watch(process, description, deadlines)
  yield* Effect.forkScoped(GitExchange.pump(process, input, progress))
  yield* Effect.callback<void, GitError>((resume) => {
    const check = () => {
      if (end !== undefined) return resume("error" in end ? Effect.fail(end.error) : Effect.void)
      if (stdout.readableLength > 0) resume(Effect.void)
      // Without data left, Node ends the stream only after a read.
      else stdout.read()
    }
    stdout.on("readable", check)
    process.whenEnded(check)
    return Effect.sync(() => stdout.off("readable", check))
  }).pipe(Effect.ensuring(Effect.sync(() => stdout.removeAllListeners("readable"))))
  isStarted = true
  return stdout
})

/** How often the progress of a process is checked, per deadline. */
const CHECKS_PER_DEADLINE = 10

/** Stops the process after a deadline. Returns a function that reports progress of the input. */
const watch = (process: GitProcess, description: CommandDescription, deadlines: GitStream.Deadlines) => {
  const { stdout } = process.child
  const { silenceMillis, stallMillis, totalMillis } = deadlines
  process.expire(totalMillis, () => {})
  let before = -1
  let since = performance.now()
  const progress = () => {
    since = performance.now()
  }
  const check = () => {
    const read = bytesRead(stdout) - stdout.readableLength
    if (read !== before) progress()
    before = read
    // With data left, the consumer does not read.
    const millis = stdout.readableLength > 0 ? stallMillis : silenceMillis
    if (performance.now() - since > millis) process.stop({ error: deadlineError(description, millis) })
    else timer.refresh()
  }
  const timer = process.after(Math.min(silenceMillis, stallMillis) / CHECKS_PER_DEADLINE, check)
  return progress
}

/** The number of bytes that Node has read from a pipe. */
const bytesRead = (pipe: Readable): number => ("bytesRead" in pipe ? Number(pipe.bytesRead) : 0)
