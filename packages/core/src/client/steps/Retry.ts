/**
 * Pipeline step: retry. After a broken connection or a 5xx the request may have run, so only safe methods are sent
 * again. The scheduler retries requests that a rate limit rejected, since a rejected request did not run.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as AttemptTimeout from "./AttemptTimeout.ts"
import { CallContext } from "../CallContext.ts"
import * as ErrorResponse from "../responses/ErrorResponse.ts"
import * as ResponseBody from "../responses/ResponseBody.ts"

export const MAX_RETRIES = 3

/** Default time limit of all attempts and the delays in between, in milliseconds. */
export const DEFAULT_TOTAL_TIMEOUT = 60_000

/** Minimum time left for a retry and the preceding delay, in milliseconds. */
const MIN_TIME_LEFT = 1_500

/**
 * Delays before retries: 0.25 s, 0.5 s, 1 s, each with up to a fifth of jitter to spread clients that failed at the
 * same time.
 */
const backoff = Schedule.exponential(Duration.millis(250)).pipe(Schedule.jittered)

const isSafe = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS"

/** Carries a retryable 5xx response through the error channel. */
class ServerError {
  readonly _tag = "Failed"
  readonly response: HttpClientResponse.HttpClientResponse
  constructor(response: HttpClientResponse.HttpClientResponse) {
    this.response = response
  }
}

const isServerError = (error: unknown): error is ServerError => error instanceof ServerError

/** Returns whether the connection broke before or during the response. */
const isConnectionError = (error: unknown) =>
  HttpClientError.isHttpClientError(error) &&
  (error.reason._tag === "TransportError" || error.reason._tag === "DecodeError") &&
  !(error.reason.cause instanceof ResponseBody.BodyTooLarge) &&
  !isUnknownHost(error.reason.cause)

/** Returns whether the name of the host does not exist, which another attempt would not change. */
const isUnknownHost = (cause: unknown) => {
  const root = ErrorResponse.rootCause(cause)
  return root instanceof Error && "code" in root && root.code === "ENOTFOUND"
}

const isTransient = (error: unknown) => isServerError(error) || isConnectionError(error)

export interface RetryOptions {
  /** Time limit of one attempt in milliseconds. */
  readonly timeout?: number | undefined
  readonly totalTimeout?: number | undefined
}

export const make =
  ({ timeout = AttemptTimeout.DEFAULT_TIMEOUT, totalTimeout = DEFAULT_TOTAL_TIMEOUT }: RetryOptions = {}) =>
  <E, R>(
    client: HttpClient.HttpClient.With<E, R>
  ): HttpClient.HttpClient.With<E | HttpClientError.HttpClientError, R> =>
    HttpClient.makeWith(
      (incoming) =>
        Effect.flatMap(incoming, (request) => {
          const send = client.postprocess(Effect.succeed(request))
          return isSafe(request.method) ? withRetries(send, timeout, totalTimeout) : send
        }),
      client.preprocess
    )

const withRetries = <E, R>(
  send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>,
  timeout: number,
  totalTimeout: number
): Effect.Effect<HttpClientResponse.HttpClientResponse, E | HttpClientError.HttpClientError, R> =>
  Effect.clockWith((clock) => {
    const until = clock.currentTimeMillisUnsafe() + totalTimeout
    const left = () => until - clock.currentTimeMillisUnsafe()
    const retry = (first: E | ServerError) => {
      let tries = 0
      const next = Effect.suspend<HttpClientResponse.HttpClientResponse, E | ServerError, R>(() =>
        tries++ === 0
          ? Effect.fail(first)
          : attempt(
              Effect.updateService(send, CallContext, (call) => ({
                ...call,
                timeout: Math.min(call.timeout ?? timeout, left())
              }))
            )
      )
      return Effect.retry(next, {
        schedule: backoff,
        times: MAX_RETRIES,
        while: (error) => isTransient(error) && left() > MIN_TIME_LEFT
      })
    }
    // Creates a schedule only for failed calls, to save time for successful calls.
    return attempt(send).pipe(
      Effect.catchIf(isTransient, retry),
      Effect.catchIf(isServerError, (error) => Effect.succeed(error.response))
    )
  })

const attempt = <E, R>(send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
  Effect.filterOrFail(
    send,
    ({ status }) => status < 500 || status === 501,
    (response) => new ServerError(response)
  )
