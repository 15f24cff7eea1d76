/** Runs a git command with streamed input and output, for transfers over HTTP. */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import type { Writable } from "node:stream"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as ProcessStatus from "../../base/ProcessStatus.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import type { CommandDescription, GitProcess } from "./GitProcess.ts"
import * as GitStream from "./GitStream.ts"

/** Returns the CPU time in seconds that a command may take for the received bytes of input. */
export type CpuLimit = (bytes: number) => number

/** Milliseconds between two readings of the CPU time. */
const CPU_MILLIS = 250

/** Input of a command. An error of the input stops the command and becomes the error of the output. */
export type Input = Stream.Stream<Uint8Array, GitError>

/**
 * Starts the command and waits for the first output, or the end. The scope stops the command and waits for the exit.
 * Reads of input and output both restart the deadline for silence.
 */
export const open = Effect.fnUntraced(function* (
  start: () => ChildProcessWithoutNullStreams,
  description: CommandDescription,
  input: Input,
  deadlines: GitStream.Deadlines,
  cpuLimit?: CpuLimit
): Effect.fn.Return<Stream.Stream<Uint8Array, GitError>, GitError, Scope.Scope> {
  const [output, reader] = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const output = new GitStream.ProcessOutput(start(), description)
      return [output, new GitStream.Reader(output, description, deadlines)] as const // a pair
    }),
    ([, reader]) => reader.closed
  )
  const { process } = output
  let bytes = 0
  if (cpuLimit !== undefined) limitCpu(process, () => ({ bytes, seconds: cpuLimit(bytes) }))
  yield* Effect.forkScoped(
    pump(process, input, (chunk) => {
      bytes += chunk.length
      reader.extend()
    })
  )
  const first = yield* Pull.catchDone(reader.pull, () => Effect.undefined)
  let isFirst = true
  return Stream.fromPull(
    Effect.succeed(
      Effect.suspend(() => {
        if (!isFirst) return reader.pull
        isFirst = false
        return first === undefined ? Cause.done() : Effect.succeed(first)
      })
    )
  )
})

/** Stops a process that takes, with all descendants, more CPU time than allowed. Only on systems with `/proc`. */
const limitCpu = (process: GitProcess, limit: () => { readonly bytes: number; readonly seconds: number }) => {
  const { pid } = process.child
  if (pid === undefined) return
  const timer = process.after(CPU_MILLIS, () => {
    const { bytes, seconds } = limit()
    if (ProcessStatus.totalCpuSeconds(pid) <= seconds) return timer.refresh()
    process.stop({ error: gitError({ _tag: "CpuTimeExceeded", bytes, seconds }) })
  })
}

/** Writes the input to a process. An error of the input stops the process. */
export const pump = (
  process: GitProcess,
  input: Input,
  onProgress: (chunk: Uint8Array) => void
): Effect.Effect<void> => {
  const { stdin } = process.child
  return Effect.matchCause(
    Stream.runForEach(input, (chunk) => Effect.map(write(stdin, chunk), () => onProgress(chunk))),
    {
      onSuccess: () => void stdin.end(),
      onFailure: (cause) => {
        const failure = cause.reasons.find(Cause.isFailReason)
        if (failure === undefined) stdin.end()
        else process.stop({ error: failure.error })
      }
    }
  )
}

/**
 * Writes a chunk and waits until the pipe accepts the chunk. The pipe of a command that stopped reading accepts all
 * chunks.
 */
const write = (pipe: Writable, chunk: Uint8Array) =>
  Effect.callback<void>((resume) => {
    pipe.write(chunk, () => resume(Effect.void))
  })
