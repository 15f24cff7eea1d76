/** Streams the output of a git process with back-pressure. */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import type { GitError } from "./GitError.ts"
import { type ProcessExit, deadlineError, type CommandDescription, GitProcess } from "./GitProcess.ts"

/** Time limits of a stream, in milliseconds. */
export interface Deadlines {
  /** How long git may print nothing while the consumer waits. */
  readonly silenceMillis: number
  /** How long the consumer may read nothing. */
  readonly stallMillis: number
  /** Maximum duration of the stream. */
  readonly totalMillis: number
}

/**
 * Starts the process when the stream runs, and stops it when the consumer stops. Reads at most one pipe buffer ahead.
 * Fails with git's error, or with `TimedOut` after a deadline.
 */
export const make = (
  start: () => ChildProcessWithoutNullStreams,
  description: CommandDescription,
  input: string | Uint8Array | undefined,
  deadlines: Deadlines
): Stream.Stream<Uint8Array, GitError> =>
  Stream.scoped(
    Stream.fromPull(
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => new Reader(new ProcessOutput(start, description, input), description, deadlines)),
          (reader) => Effect.callback<void>((resume) => reader.close(() => resume(Effect.void)))
        ),
        (reader) => reader.pull
      )
    )
  )

/** The output of a process, and its result once it has ended. */
class ProcessOutput {
  readonly process: GitProcess
  end: ProcessExit | undefined
  /** Called when new output or the result may be available. */
  onChange = () => {}

  constructor(
    start: () => ChildProcessWithoutNullStreams,
    description: CommandDescription,
    input: string | Uint8Array | undefined
  ) {
    const child = start()
    this.process = new GitProcess(child, description, (end) => {
      this.end = end
      this.onChange()
    })
    child.stdout.on("readable", () => this.onChange())
    child.stdout.on("end", () => this.onChange())
    child.stdin.end(input)
  }

  read(): Uint8Array | undefined {
    const chunk: unknown = this.process.child.stdout.read()
    return Buffer.isBuffer(chunk) ? chunk : undefined
  }
}

class Reader {
  readonly #output: ProcessOutput
  readonly #description: CommandDescription
  readonly #deadlines: Deadlines
  #cancelStall: () => void = () => {}

  constructor(output: ProcessOutput, description: CommandDescription, deadlines: Deadlines) {
    this.#output = output
    this.#description = description
    this.#deadlines = deadlines
    output.process.expire(deadlines.totalMillis, () => {})
    this.#awaitConsumer()
  }

  readonly pull: Pull.Pull<NonEmptyReadonlyArray<Uint8Array>, GitError> = Effect.callback((resume) => {
    const output = this.#output
    this.#cancelStall()
    const cancelSilence = output.process.after(this.#deadlines.silenceMillis, () => this.#expire("silenceMillis"))
    const finish = (result: Pull.Pull<NonEmptyReadonlyArray<Uint8Array>, GitError>) => {
      output.onChange = () => {}
      cancelSilence()
      this.#awaitConsumer()
      resume(result)
    }
    const deliver = () => {
      const chunk = output.read()
      if (chunk !== undefined) return finish(Effect.succeed([chunk]))
      if (output.end === undefined) return
      finish("error" in output.end ? Effect.fail(output.end.error) : Cause.done())
    }
    output.onChange = deliver
    deliver()
    return Effect.sync(() => {
      output.onChange = () => {}
      cancelSilence()
    })
  })

  /** Stops the process and calls `onClosed` after its exit. */
  close(onClosed: () => void): void {
    if (this.#output.end !== undefined) return onClosed()
    this.#output.onChange = () => {
      if (this.#output.end !== undefined) onClosed()
    }
    this.#output.process.stop({ exitCode: 0 })
  }

  #awaitConsumer(): void {
    this.#cancelStall = this.#output.process.after(this.#deadlines.stallMillis, () => this.#expire("stallMillis"))
  }

  #expire(which: "silenceMillis" | "stallMillis"): void {
    this.#output.process.stop({ error: deadlineError(this.#description, this.#deadlines[which]) })
  }
}
