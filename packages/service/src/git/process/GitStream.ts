/** Streams the output of a git process with back-pressure. */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import type { GitError } from "../values/GitError.ts"
import { type ProcessExit, deadlineError, type CommandDescription, GitProcess } from "./GitProcess.ts"

/** Time limits of a stream, in milliseconds. */
export interface Deadlines {
  /** Maximum milliseconds without output of git while the consumer waits. */
  readonly silenceMillis: number
  /** Maximum milliseconds between reads of the consumer. */
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
          Effect.sync(() => {
            const output = new ProcessOutput(start(), description)
            output.process.child.stdin.end(input)
            return new Reader(output, description, deadlines)
          }),
          (reader) => reader.closed
        ),
        (reader) => reader.pull
      )
    )
  )

/** The output of a process, and the result after the end. */
export class ProcessOutput {
  readonly process: GitProcess
  end: ProcessExit | undefined
  /** Called when new output or the result may be available. */
  onChange = () => {}

  constructor(child: ChildProcessWithoutNullStreams, description: CommandDescription) {
    this.process = new GitProcess(child, description, (end) => {
      this.end = end
      this.onChange()
    })
    child.stdout.on("readable", () => this.onChange())
    child.stdout.on("end", () => this.onChange())
  }

  read(): Uint8Array | undefined {
    const chunk: unknown = this.process.child.stdout.read()
    return Buffer.isBuffer(chunk) ? chunk : undefined
  }
}

/** Reads the output of a process, and stops the process after a deadline. */
export class Reader {
  readonly #output: ProcessOutput
  readonly #silence: NodeJS.Timeout
  readonly #stall: NodeJS.Timeout
  #isPulling = false

  constructor(output: ProcessOutput, description: CommandDescription, deadlines: Deadlines) {
    const { process } = output
    this.#output = output
    process.expire(deadlines.totalMillis, () => {})
    const stop = (millis: number) => process.stop({ error: deadlineError(description, millis) })
    this.#silence = process.after(deadlines.silenceMillis, () => {
      if (this.#isPulling) stop(deadlines.silenceMillis)
    })
    this.#stall = process.after(deadlines.stallMillis, () => {
      if (!this.#isPulling) stop(deadlines.stallMillis)
    })
  }

  readonly pull: Pull.Pull<NonEmptyReadonlyArray<Uint8Array>, GitError> = Effect.callback((resume) => {
    const output = this.#output
    this.#isPulling = true
    this.extend()
    const finish = (result: Pull.Pull<NonEmptyReadonlyArray<Uint8Array>, GitError>) => {
      this.#pause()
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
    return Effect.sync(() => this.#pause())
  })

  /** Restarts the deadline for silence. */
  extend(): void {
    if (this.#output.end === undefined) this.#silence.refresh()
  }

  /** Stops the process and waits for the exit. */
  readonly closed: Effect.Effect<void> = Effect.callback((resume) => {
    const output = this.#output
    if (output.end !== undefined) return resume(Effect.void)
    output.onChange = () => {
      if (output.end !== undefined) resume(Effect.void)
    }
    output.process.stop({ exitCode: 0 })
  })

  #pause(): void {
    this.#isPulling = false
    this.#output.onChange = () => {}
    if (this.#output.end === undefined) this.#stall.refresh()
  }
}
