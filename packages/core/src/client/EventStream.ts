/** Responses that are streams of events, one JSON text per line. */
import * as Duration from "effect/Duration"
import * as Ndjson from "effect/encoding/Ndjson"
import * as Stream from "effect/Stream"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Failure, Unreachable, UnexpectedResponse } from "../contract/Failure.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as ResponseDecoder from "./ResponseDecoder.ts"
import * as Trace from "./Trace.ts"

/** Bytes of one event. */
const MAX_EVENT = 8 * 1024 * 1024

/**
 * The events of a response, each as soon as it is received. `request` names the request in failures. `idle` is how many
 * milliseconds may pass between two pieces of the body. Interrupting the stream closes the connection.
 */
export const read = (
  request: string,
  decoders: ResponseDecoder.Decoders,
  response: HttpClientResponse.HttpClientResponse,
  idle: number
): Stream.Stream<unknown, Failure> => {
  const { status } = response
  return response.stream.pipe(
    Stream.mapError((error) => ErrorResponse.transportFailure(request, error)),
    Stream.timeoutOrElse({ duration: idle, orElse: () => Stream.fail(stalled(request, idle)) }),
    Stream.tap((piece) => Trace.recordBytes(piece.length)),
    Stream.pipeThroughChannel(Ndjson.decode({ ignoreEmptyLines: true, maxLineBytes: MAX_EVENT })),
    Stream.mapError((error) =>
      Ndjson.isNdjsonError(error)
        ? new UnexpectedResponse({ request, detail: "a line of the body is not JSON, or is too long", status })
        : error
    ),
    Stream.mapEffect((event) => ResponseDecoder.decodeValue(request, decoders, status, event))
  )
}

const stalled = (request: string, milliseconds: number) =>
  new Unreachable({ request, detail: `nothing more within ${Duration.format(Duration.millis(milliseconds))}` })
