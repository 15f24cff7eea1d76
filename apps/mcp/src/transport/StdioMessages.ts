/**
 * Stdio for MCP: reads one message per line and responds to invalid or oversized lines with a JSON-RPC error. The
 * streams never fail, because the MCP server would retry: a broken stdin ends, a broken stdout discards writes, and
 * `ClientDisconnect` detects both.
 */
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/** Maximum size of a message in bytes. The largest messages contain a file to write, in base64. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/**
 * Provides the process's stdio. Discards writes once `disconnected` is done, so that a full pipe cannot delay the exit.
 */
export const layer = (disconnected: Deferred.Deferred<void>) => {
  const stdout = Sink.forEach((chunk: string | Uint8Array) =>
    Effect.raceFirst(Deferred.await(disconnected), write(chunk))
  )
  return Layer.effect(
    Stdio.Stdio,
    Effect.map(Stdio.Stdio, (stdio) => ({
      ...stdio,
      stdout: () => stdout,
      stdin: stdio.stdin.pipe(
        Stream.catch(() => Stream.empty),
        lines,
        Stream.filterEffect((line) => {
          const error = errorOf(line)
          if (error === undefined) return Effect.succeed(true)
          const response = { jsonrpc: "2.0", id: null, error }
          return Effect.as(Stream.run(Stream.make(`${JSON.stringify(response)}\n`), stdout), false)
        })
      )
    }))
  ).pipe(Layer.provide(NodeStdio.layer))
}

/** Writes to stdout. Never fails: a broken stdout discards the chunk. */
const write = (chunk: string | Uint8Array) =>
  Effect.callback<void>((resume) => void process.stdout.write(chunk, () => resume(Effect.void)))

const NEWLINE = 10

interface PartialLine {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly length: number
}

const emptyLine: PartialLine = { chunks: [], length: 0 }

/** Splits bytes into lines with their newline. Drops the rest of a line that exceeds `MAX_MESSAGE_BYTES`. */
export const lines = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.mapAccum(
    bytes,
    () => emptyLine,
    (pending, chunk) => {
      const complete: Array<Uint8Array> = []
      let line = pending
      let start = 0
      while (start < chunk.length) {
        const newline = chunk.indexOf(NEWLINE, start)
        const end = newline === -1 ? chunk.length : newline + 1
        if (line.length <= MAX_MESSAGE_BYTES) {
          line = { chunks: [...line.chunks, chunk.subarray(start, end)], length: line.length + end - start }
        }
        if (newline !== -1) {
          complete.push(Buffer.concat(line.chunks))
          line = emptyLine
        }
        start = end
      }
      return [line, complete]
    }
  )

const errorOf = (line: Uint8Array) => {
  if (line.length > MAX_MESSAGE_BYTES) {
    return { code: -32600, message: `Message too large: the maximum is ${MAX_MESSAGE_BYTES} bytes.` }
  }
  const text = Buffer.from(line).toString("utf8")
  return text.trim() === "" || Result.isSuccess(Result.try((): unknown => JSON.parse(text)))
    ? undefined
    : { code: -32700, message: "Parse error: the message is not valid JSON." }
}
