/**
 * Stdin as whole messages, one at a time: a message that is not JSON, or is too long, is refused and the next ones are
 * read. Neither end of stdio fails, because a server would retry it: a failed stdin has ended, and a failed stdout
 * discards. `ClientDisconnect` notices both.
 */
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/** Bytes of a message: a tool's arguments; the largest is a file to write, in base64. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** Stdio until `left` is done: from then on, writes are discarded, so that no pipe that nobody reads delays the end. */
export const layer = (left: Deferred.Deferred<void>) => {
  const stdout = Sink.forEach((chunk: string | Uint8Array) => Effect.raceFirst(Deferred.await(left), write(chunk)))
  return Layer.effect(
    Stdio.Stdio,
    Effect.map(Stdio.Stdio, (stdio) => ({
      ...stdio,
      stdout: () => stdout,
      stdin: stdio.stdin.pipe(
        Stream.catch(() => Stream.empty),
        lines,
        Stream.filterEffect((line) => {
          const problem = problemOf(line)
          if (problem === undefined) return Effect.succeed(true)
          const refusal = { jsonrpc: "2.0", id: null, error: problem }
          return Effect.as(Stream.run(Stream.make(`${JSON.stringify(refusal)}\n`), stdout), false)
        })
      )
    }))
  ).pipe(Layer.provide(NodeStdio.layer))
}

/** Completes also after a failure. */
const write = (chunk: string | Uint8Array) =>
  Effect.callback<void>((resume) => void process.stdout.write(chunk, () => resume(Effect.void)))

const NEWLINE = 10

interface Begun {
  readonly parts: ReadonlyArray<Uint8Array>
  readonly length: number
}

const nothing: Begun = { parts: [], length: 0 }

/** The lines of a stream of bytes, each with its end. Of one that is too long, no more is kept than shows it. */
export const lines = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.mapAccum(
    bytes,
    () => nothing,
    (begun, chunk) => {
      const whole: Array<Uint8Array> = []
      let open = begun
      let start = 0
      while (start < chunk.length) {
        const newline = chunk.indexOf(NEWLINE, start)
        const end = newline === -1 ? chunk.length : newline + 1
        if (open.length <= MAX_MESSAGE_BYTES) {
          open = { parts: [...open.parts, chunk.subarray(start, end)], length: open.length + end - start }
        }
        if (newline !== -1) {
          whole.push(Buffer.concat(open.parts))
          open = nothing
        }
        start = end
      }
      return [open, whole]
    }
  )

const problemOf = (line: Uint8Array) => {
  if (line.length > MAX_MESSAGE_BYTES) {
    return { code: -32600, message: `A message may have ${MAX_MESSAGE_BYTES} bytes.` }
  }
  const text = Buffer.from(line).toString("utf8")
  return text.trim() === "" || Result.isSuccess(Result.try((): unknown => JSON.parse(text)))
    ? undefined
    : { code: -32700, message: "This is no JSON." }
}
