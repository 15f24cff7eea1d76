/** Responses that are streams of events, one JSON text per line. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Failure, Unreachable, UnexpectedResponse } from "../contract/Failure.ts"
import * as ErrorResponse from "./responses/ErrorResponse.ts"
import * as JsonLines from "./responses/JsonLines.ts"
import * as ResponseDecoder from "./responses/ResponseDecoder.ts"
import * as Trace from "./Trace.ts"

/** Maximum length of an event in characters. */
const MAX_EVENT = 8 * 1024 * 1024

/**
 * Reads the events of a response, each immediately after its receipt. `request` names the request in failures. `idle`
 * is the maximum time between two chunks of the body in milliseconds. Interrupting the stream closes the connection.
 */
export const read = (
  request: string,
  decoders: ResponseDecoder.Decoders,
  response: HttpClientResponse.HttpClientResponse,
  idle: number
): Stream.Stream<unknown, Failure> => {
  const { status } = response
  const bytes = response.stream.pipe(
    Stream.mapError((error) => ErrorResponse.transportFailure(request, error)),
    Stream.timeoutOrElse({ duration: idle, orElse: () => Stream.fail(stalled(request, idle)) }),
    Stream.mapArrayEffect((chunks) =>
      Effect.as(Trace.recordBytes(chunks.reduce((sum, { length }) => sum + length, 0)), chunks)
    )
  )
  const invalid = new UnexpectedResponse({
    request,
    detail: "a line of the body is not JSON, or is too long",
    status
  })
  const decodeOne = (event: unknown) => ResponseDecoder.decodeValue(request, decoders, status, event)
  return Stream.suspend(() => {
    const lines = JsonLines.make(MAX_EVENT)
    return Stream.concat(
      Stream.map(bytes, (chunk) => lines.push(chunk)),
      Stream.sync(lines.end)
    ).pipe(
      Stream.flatMap(({ isValid, values }) => {
        const events = decodeAll(decoders, values, decodeOne)
        return isValid ? events : Stream.concat(events, Stream.fail(invalid))
      })
    )
  })
}

/**
 * Decodes events. Events that arrive together and conform to the contract are decoded without an effect for each event.
 */
const decodeAll = <E>(
  { decode }: ResponseDecoder.Decoders,
  events: ReadonlyArray<unknown>,
  decodeOne: (event: unknown) => Effect.Effect<unknown, E>
): Stream.Stream<unknown, E> => {
  const decoded = events.map(decode)
  return decoded.every((event) => "value" in event)
    ? Stream.fromIterable(decoded.map(({ value }) => value))
    : Stream.mapEffect(Stream.fromIterable(events), decodeOne)
}

const stalled = (request: string, milliseconds: number) =>
  new Unreachable({ request, detail: `no data within ${Duration.format(Duration.millis(milliseconds))}` })
