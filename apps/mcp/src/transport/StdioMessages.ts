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
import * as JsonRpc from "./JsonRpc.ts"
import type { OpenRequests } from "./OpenRequests.ts"
import type { StartGate } from "./StartGate.ts"

/** Maximum size of a message in bytes. The largest messages contain a file to write, in base64. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** Number of messages to hold back while the forge is opened, so that the end of stdin is noticed meanwhile. */
const MAX_HELD = 256

/**
 * Provides the process's stdio. Discards writes once `disconnected` is done, so that a full pipe cannot delay the exit.
 * The first answer triggers opening the forge, which would otherwise delay this answer.
 */
export const layer = (disconnected: Deferred.Deferred<void>, gate: StartGate, requests: OpenRequests) => {
  const stdout = Sink.forEach((chunk: string | Uint8Array) => {
    for (const line of Buffer.from(chunk).toString("utf8").split("\n")) requests.send(parse(line))
    return Effect.andThen(Effect.raceFirst(Deferred.await(disconnected), write(chunk)), gate.answered)
  })
  const answer = (responses: ReadonlyArray<object>) =>
    Stream.run(Stream.fromIterable(responses.map((response) => `${JSON.stringify(response)}\n`)), stdout)
  return Layer.effect(
    Stdio.Stdio,
    Effect.map(Stdio.Stdio, (stdio) => ({
      ...stdio,
      stdout: () => stdout,
      stdin: stdio.stdin.pipe(
        Stream.catch(() => Stream.empty),
        lines,
        Stream.filterEffect((line) => {
          const response = errorResponse(line, requests)
          return response === undefined ? Effect.succeed(true) : Effect.as(answer([response]), false)
        }),
        Stream.onEnd(Effect.sync(requests.end)),
        Stream.buffer({ capacity: MAX_HELD }),
        Stream.filterEffect((line) =>
          Effect.flatMap(gate.check(textOf(line)), (refused) =>
            refused === undefined ? Effect.succeed(true) : Effect.as(answer(refused), false)
          )
        )
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

/** Splits bytes into lines with newlines. Drops the rest of a line that exceeds `MAX_MESSAGE_BYTES`. */
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

const textOf = (line: Uint8Array) => Buffer.from(line).toString("utf8")

const parse = (text: string): unknown => Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))

/** Returns the response to a line that the MCP server must not receive, or undefined. */
const errorResponse = (line: Uint8Array, requests: OpenRequests) => {
  if (line.length > MAX_MESSAGE_BYTES) {
    return JsonRpc.errorResponse(-32600, `Message too large: the maximum is ${MAX_MESSAGE_BYTES} bytes.`)
  }
  const text = textOf(line)
  if (text.trim() === "") return undefined
  const message = parse(text)
  if (message === undefined) return JsonRpc.errorResponse(-32700, "Parse error: the message is not valid JSON.")
  const response = JsonRpc.check(message)
  if (response !== undefined || requests.receive(message)) return response
  // Without the id, which a client would take for the response to the other request.
  return JsonRpc.errorResponse(-32600, "Invalid request: another request with the same id is in progress.")
}
