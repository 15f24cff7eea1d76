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
import * as Attempt from "./Attempt.ts"
import * as Body from "./Body.ts"
import { Call } from "./Call.ts"

/** Tries after the first. */
export const maxRetries = 3

/** Milliseconds that all tries of a request may take together, and the waits between them, unless the client says otherwise. */
export const defaultTotalTimeout = 60_000

/** Milliseconds that must be left for another try, beside the longest wait before it. */
const WORTHWHILE = 1_500

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
  (error.reason._tag === "TransportError" || error.reason._tag === "DecodeError") &&
  !(error.reason.cause instanceof Body.TooLarge)

const isTransient = (error: unknown) => isFailed(error) || isBroken(error)

export interface Options {
  /** Milliseconds that a try may take. */
  readonly timeout?: number | undefined
  readonly totalTimeout?: number | undefined
}

export const make =
  ({ timeout = Attempt.defaultTimeout, totalTimeout = defaultTotalTimeout }: Options = {}) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> =>
    HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) => {
          const send = client.postprocess(Effect.succeed(request))
          return isSafe(request.method) ? repeated(send, timeout, totalTimeout) : send
        }),
      client.preprocess
    )

const repeated = <E, R>(
  send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>,
  timeout: number,
  totalTimeout: number
): Effect.Effect<HttpClientResponse.HttpClientResponse, E | HttpClientError.HttpClientError, R> =>
  Effect.clockWith((clock) => {
    const until = clock.currentTimeMillisUnsafe() + totalTimeout
    const left = () => until - clock.currentTimeMillisUnsafe()
    const retry = (first: E | Failed) => {
      let tries = 0
      const next = Effect.suspend<HttpClientResponse.HttpClientResponse, E | Failed, R>(() =>
        tries++ === 0
          ? Effect.fail(first)
          : attempt(
              Effect.updateService(send, Call, (call) => ({
                ...call,
                timeout: Math.min(call.timeout ?? timeout, left())
              }))
            )
      )
      return Effect.retry(next, {
        schedule: backoff,
        times: maxRetries,
        while: (error) => isTransient(error) && left() > WORTHWHILE
      })
    }
    // Few calls fail, so only those pay for a schedule.
    return attempt(send).pipe(
      Effect.catchIf(isTransient, retry),
      Effect.catchIf(isFailed, (error) => Effect.succeed(error.response))
    )
  })

const attempt = <E, R>(send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
  Effect.filterOrFail(
    send,
    ({ status }) => status < 500 || status === 501,
    (response) => new Failed(response)
  )
