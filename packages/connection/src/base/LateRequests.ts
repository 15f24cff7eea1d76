/** Watches the requests to a remote forge, so that programs can say why an answer is late. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as ErrorResponse from "@tongs/core/client/responses/ErrorResponse"

/** The reason why an answer is late. */
export type LateReason =
  /** A request has no answer yet. */
  | { readonly _tag: "NoAnswer"; readonly seconds: number }
  /** The last request failed. The client retries. */
  | { readonly _tag: "Repeats"; readonly detail: string }

/** Time without an answer after which a request is late, in milliseconds. Most answers take less. */
const LATE = 1_500

/** The late requests of one connection. */
export class LateRequests extends Context.Service<
  LateRequests,
  {
    /** The reason why an answer is late now, if any. */
    readonly reason: Effect.Effect<LateReason | undefined>
    /** Returns a client whose requests are watched. */
    readonly watch: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  }
>()("@tongs/connection/base/LateRequests") {
  static readonly layer = Layer.sync(LateRequests, () => {
    const started = new Set<{ readonly at: number }>()
    let failure: string | undefined
    const watch = (client: HttpClient.HttpClient) =>
      HttpClient.transform(client, (send) =>
        Effect.clockWith((clock) => {
          const request = { at: clock.currentTimeMillisUnsafe() }
          started.add(request)
          return Effect.onExit(send, (exit) =>
            Effect.sync(() => {
              started.delete(request)
              failure = failureOf(exit)
            })
          )
        })
      )
    const reason = Effect.map(Clock.currentTimeMillis, (now): LateReason | undefined => {
      const waited = Math.max(0, ...[...started].map(({ at }) => now - at))
      if (waited >= LATE) return { _tag: "NoAnswer", seconds: Math.round(waited / 1000) }
      return failure === undefined ? undefined : { _tag: "Repeats", detail: failure }
    })
    return LateRequests.of({ reason, watch })
  })
}

/** Returns why the client may repeat a request: a failed transport, or a temporary failure of the forge. */
const failureOf = (exit: Exit.Exit<{ readonly status: number }, HttpClientError.HttpClientError>) => {
  if (Exit.isSuccess(exit)) return exit.value.status >= 500 ? `status ${exit.value.status}` : undefined
  const error = Cause.squash(exit.cause)
  if (!HttpClientError.isHttpClientError(error)) return undefined
  const failure = ErrorResponse.transportFailure("", error)
  return failure._tag === "Unreachable" ? failure.detail : undefined
}
