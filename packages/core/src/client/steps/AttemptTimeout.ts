/**
 * Pipeline step: attempt timeout. An attempt ends when the response body is in memory or the time limit is reached.
 * Stops receiving a body over the size limit: a success then fails, and any other response keeps the beginning of the
 * body.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CallContext } from "../CallContext.ts"
import * as ResponseBody from "../responses/ResponseBody.ts"
import * as Trace from "../Trace.ts"

/** Default time limit of one attempt in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000

export const make =
  (timeout = DEFAULT_TIMEOUT, maxBody = ResponseBody.DEFAULT_MAX_BODY) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> => {
    const read = (response: HttpClientResponse.HttpClientResponse, isDownload: boolean | undefined) => {
      const isSuccess = response.status >= 200 && response.status < 300
      // A download is a stream, which can have any length.
      if (isSuccess) return isDownload === true ? Effect.void : recordBytes(ResponseBody.read(response, maxBody))
      const beginning = recordBytes(ResponseBody.readBeginning(response))
      // Reading the body frees the connection. For a 5xx, a failed read must not hide the status.
      return response.status < 500 ? beginning : Effect.ignore(beginning)
    }
    return HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) =>
          Effect.flatMap(CallContext, (call) => {
            const milliseconds = call.timeout ?? timeout
            return client.postprocess(Effect.succeed(request)).pipe(
              Effect.tap((response) => read(response, call.isDownload)),
              Effect.timeoutOrElse({ duration: milliseconds, orElse: () => timeoutError(request, milliseconds) })
            )
          })
        ),
      client.preprocess
    )
  }

const recordBytes = <E, R>(size: Effect.Effect<number, E, R>) => Effect.tap(size, Trace.recordBytes)

const timeoutError = (request: HttpClientRequest.HttpClientRequest, milliseconds: number) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({
        request,
        cause: new Error(`none within ${Duration.format(Duration.millis(milliseconds))}`)
      })
    })
  )
