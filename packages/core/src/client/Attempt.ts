/**
 * Step: attempt. A try is over when the body of its answer is here, or its time is up: whoever gives up, the connection
 * is closed and no timer stays.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Call } from "./Call.ts"
import * as Trace from "./Trace.ts"

/** Milliseconds that a try may take, where neither the client nor the call says otherwise. */
export const defaultTimeout = 60_000

export const make =
  (timeout = defaultTimeout) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> =>
    HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(Call, (call) => {
            const milliseconds = call.timeout ?? timeout
            return client.postprocess(Effect.succeed(request)).pipe(
              Effect.tap((response) =>
                // Reading the body of one that failed frees its connection; the failure is what counts.
                response.status < 500 ? read(response) : Effect.ignore(read(response))
              ),
              Effect.timeoutOrElse({ duration: milliseconds, orElse: () => late(request, milliseconds) })
            )
          })
        ),
      client.preprocess
    )

const read = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.tap(withHeadersRead(response).arrayBuffer, ({ byteLength }) => Trace.received(byteLength))

/** An answer reads its headers anew each time that it is asked for them, and most of the steps ask. */
const withHeadersRead = (response: HttpClientResponse.HttpClientResponse) =>
  Object.defineProperty(response, "headers", { value: response.headers })

const late = (request: HttpClientRequest.HttpClientRequest, milliseconds: number) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({
        request,
        cause: new Error(`none within ${Duration.format(Duration.millis(milliseconds))}`)
      })
    })
  )
