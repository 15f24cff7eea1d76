/**
 * Step: retry. After a broken connection or a 5xx nobody knows whether the request ran, so only safe methods are sent
 * again; what a limit refused did not run, and is the scheduler's business.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

const maxRetries = 3

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

const isBroken = (error: unknown): boolean =>
  error instanceof Failed || (HttpClientErrorLike(error) && error.reason._tag === "TransportError")

const HttpClientErrorLike = (error: unknown): error is HttpClientError.HttpClientError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "HttpClientError"

export const make = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
  HttpClient.transform(client, (send, request) => {
    if (!isSafe(request.method)) return send
    return send.pipe(
      Effect.flatMap((response) =>
        response.status >= 500 && response.status !== 501 ? Effect.fail(new Failed(response)) : Effect.succeed(response)
      ),
      Effect.retry({ schedule: backoff, times: maxRetries, while: isBroken }),
      Effect.catch((error) => (error instanceof Failed ? Effect.succeed(error.response) : Effect.fail(error)))
    )
  })
