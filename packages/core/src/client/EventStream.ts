/** Responses that are streams of events, one JSON text per line. */
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Failure, Unreachable, UnexpectedResponse } from "../contract/Failure.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as ResponseDecoder from "./ResponseDecoder.ts"
import * as Trace from "./Trace.ts"

/** Maximum size of an event in bytes. */
const MAX_EVENT = 8 * 1024 * 1024

/**
 * Reads the events of a response, each as soon as it is received. `request` names the request in failures. `idle` is
 * the maximum time between two chunks of the body in milliseconds. Interrupting the stream closes the connection.
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
  // Loaded on first use: most programs read no events.
  return Stream.unwrap(
    Effect.map(
      Effect.promise(() => import("effect/encoding/Ndjson")),
      (Ndjson) =>
        bytes.pipe(
          Stream.pipeThroughChannel(Ndjson.decode({ ignoreEmptyLines: true, maxLineBytes: MAX_EVENT })),
          Stream.mapError((error) =>
            Ndjson.isNdjsonError(error)
              ? new UnexpectedResponse({ request, detail: "a line of the body is not JSON, or is too long", status })
              : error
          ),
          decodeAll(decoders, (event) => ResponseDecoder.decodeValue(request, decoders, status, event))
        )
    )
  )
}

/**
 * Decodes events. Those that arrive together and conform to the contract are decoded at once, without an effect for each.
 */
const decodeAll =
  <E>({ decode }: ResponseDecoder.Decoders, decodeOne: (event: unknown) => Effect.Effect<unknown, E>) =>
  <E2>(events: Stream.Stream<unknown, E2>): Stream.Stream<unknown, E | E2> =>
    events.pipe(
      Stream.mapArray((received) => {
        const exits = received.map(decode)
        return exits.every(Exit.isSuccess)
          ? Arr.of(Stream.fromIterable(exits.map(({ value }) => value)))
          : Arr.of(Stream.mapEffect(Stream.fromIterable(received), decodeOne))
      }),
      Stream.flatten
    )

const stalled = (request: string, milliseconds: number) =>
  new Unreachable({ request, detail: `no data within ${Duration.format(Duration.millis(milliseconds))}` })
