/**
 * Step: attempt. A try is over when the body of its response is in memory, or its time is up. A body that is longer than it
 * may be is not received further: of a success that is a failure, of anything else the beginning will do.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Body from "./Body.ts"
import { Call } from "./Call.ts"
import * as Trace from "./Trace.ts"

/** Milliseconds that a try may take, where neither the client nor the call says otherwise. */
export const defaultTimeout = 60_000

export const make =
  (timeout = defaultTimeout, maxBody = Body.DEFAULT_MAX_BODY) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> => {
    const read = (response: HttpClientResponse.HttpClientResponse, toFile: boolean | undefined) => {
      const isSuccess = response.status >= 200 && response.status < 300
      // A file is a stream, of any length.
      if (isSuccess) return toFile === true ? Effect.void : received(Body.read(response, maxBody))
      const beginning = received(Body.readBeginning(response))
      // Reading the body of a failure frees its connection; the failure is what counts.
      return response.status < 500 ? beginning : Effect.ignore(beginning)
    }
    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(Call, (call) => {
            const milliseconds = call.timeout ?? timeout
            return client.postprocess(Effect.succeed(request)).pipe(
              Effect.tap((response) => read(response, call.toFile)),
              Effect.timeoutOrElse({ duration: milliseconds, orElse: () => late(request, milliseconds) })
            )
          })
        ),
      client.preprocess
    )
  }

const received = <E, R>(size: Effect.Effect<number, E, R>) => Effect.tap(size, Trace.received)

const late = (request: HttpClientRequest.HttpClientRequest, milliseconds: number) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({
        request,
        cause: new Error(`none within ${Duration.format(Duration.millis(milliseconds))}`)
      })
    })
  )
