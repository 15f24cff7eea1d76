/**
 * Step: retry. After a broken connection or a 5xx nobody knows whether the request ran, so only safe methods are sent
 * again; what a limit refused did not run, and is the scheduler's business.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Tries after the first. */
export const maxRetries = 3

/** 0.25 s, 0.5 s, 1 s, each by up to a fifth longer or shorter, so that clients that failed together part. */
const backoff = Schedule.exponential(Duration.millis(250)).pipe(Schedule.jittered)

const isSafe = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS"

/** A 5xx that is worth another try, on its way to the schedule. */
class Failed {
  readonly _tag = "Failed"
  readonly response: HttpClientResponse.HttpClientResponse
  constructor(response: HttpClientResponse.HttpClientResponse) {
    this.response = response
  }
}

const isFailed = (error: unknown): error is Failed => error instanceof Failed

/** A connection that broke, before the answer or in the middle of its body. */
const isBroken = (error: unknown) =>
  HttpClientError.isHttpClientError(error) &&
  (error.reason._tag === "TransportError" || error.reason._tag === "DecodeError")

export const make = <E, R>(
  client: HttpClient.HttpClient.With<E, R>
): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> =>
  HttpClient.makeWith(
    (incoming) =>
      Effect.flatMap(incoming, (request) => {
        const send = client.postprocess(Effect.succeed(request))
        if (!isSafe(request.method)) return send
        return send.pipe(
          Effect.filterOrFail(
            ({ status }) => status < 500 || status === 501,
            (response) => new Failed(response)
          ),
          Effect.retry({ schedule: backoff, times: maxRetries, while: (error) => isFailed(error) || isBroken(error) }),
          Effect.catchIf(isFailed, (error) => Effect.succeed(error.response))
        )
      }),
    client.preprocess
  )
