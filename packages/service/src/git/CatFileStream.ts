/** The bytes of one blob as a stream. */
import { once } from "node:events"
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import type { Readable } from "node:stream"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { commandFailed, type GitError, gitError } from "./GitError.ts"

/** How long git may take for the next bytes. Time that the reader takes does not count. */
const deadline = Duration.seconds(30)

/** Above this size git inflates an undeltified blob piece by piece, instead of holding it in memory. */
const streamedFrom = "core.bigFileThreshold=512k"

const maxStderr = 4096

export interface Blob {
  readonly gitDir: string
  readonly oid: string
  /** In bytes. */
  readonly size: number
}

/**
 * Starts `git cat-file` when the stream is run, and kills it when the stream ends. Git waits for the reader. Fails when
 * git stops before `size` bytes, or gives none within 30 seconds.
 */
export const make = (
  start: (args: ReadonlyArray<string>) => ChildProcessWithoutNullStreams,
  { gitDir, oid, size }: Blob
): Stream.Stream<Uint8Array, GitError> => {
  const args = ["-c", streamedFrom, "cat-file", "blob", oid]

  const open = Effect.acquireRelease(
    Effect.sync(() => {
      const child = start(args)
      const process = { child, stderr: "", closed: once(child, "close").catch(() => []) }
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        process.stderr = (process.stderr + text).slice(-maxStderr)
      })
      child.stdin.on("error", () => {}).end()
      // The end of its output, or an error of that, is what the reader sees.
      child.on("error", (error) => child.stdout.destroy(error))
      return process
    }),
    ({ child, closed }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        child.stdout.destroy()
        return closed
      })
  )

  return Stream.unwrap(
    Effect.map(open, (process) => {
      let left = size
      const failed = Effect.promise(() => process.closed).pipe(
        Effect.flatMap(() => Effect.fail(commandFailed(args.slice(2), process.child.exitCode, process.stderr, gitDir)))
      )
      const pull = Effect.suspend((): Pull.Pull<readonly [Uint8Array], GitError> => {
        if (left === 0) return Cause.done()
        return read(process.child.stdout).pipe(
          Effect.timeoutOrElse({
            duration: deadline,
            orElse: () =>
              Effect.fail(
                gitError({ _tag: "TimedOut", what: `git cat-file blob ${oid}`, seconds: Duration.toSeconds(deadline) })
              )
          }),
          Effect.flatMap((chunk) => {
            if (chunk === undefined) return failed
            left -= chunk.length
            return Effect.succeed<readonly [Uint8Array]>([chunk])
          })
        )
      })
      return Stream.fromPull(Effect.succeed(pull))
    })
  )
}

/** The next bytes; `undefined` at the end. Nothing is read ahead beyond what the pipe holds. */
const read = (readable: Readable): Effect.Effect<Buffer | undefined> =>
  Effect.callback((resume) => {
    const take = () => {
      const chunk: Buffer | null = readable.read()
      if (chunk === null && !readable.readableEnded && !readable.destroyed) return
      remove()
      resume(Effect.succeed(chunk ?? undefined))
    }
    const events = ["readable", "end", "close", "error"]
    const remove = () => {
      for (const event of events) readable.off(event, take)
    }
    for (const event of events) readable.on(event, take)
    take()
    return Effect.sync(remove)
  })
