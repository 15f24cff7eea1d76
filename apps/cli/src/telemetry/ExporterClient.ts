/** The HTTP client of the telemetry exporters. At the end of the program, reports which signals were not delivered. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as ErrorResponse from "@tongs/core/client/responses/ErrorResponse"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"

const signals = ["traces", "metrics"] as const // names as literal types
type Signal = (typeof signals)[number]

/** The unreported failure of a collector that accepts only traces, if the program sends metrics. */
const NOT_FOUND = "status 404"

/**
 * Wraps the HTTP client of the context for each signal. After `end`, failed requests are not retried, so that an
 * unreachable collector does not delay the program's exit.
 */
export const make = Effect.fnUntraced(function* (collector: string) {
  const client = yield* HttpClient.HttpClient
  const { note } = yield* Output
  /** The last failure of each signal (traces or metrics). */
  const failures = new Map<Signal, string>()
  let isEnding = false

  yield* Effect.addFinalizer(() => {
    const lost = signals.filter((signal) => failures.has(signal))
    const [first] = lost
    const reason = first && failures.get(first)
    if (reason === undefined || (first === "metrics" && reason === NOT_FOUND)) return Effect.void
    const message = `cannot send ${lost.join(" and ")} to ${collector}: ${Terminal.escape(reason)}`
    return Effect.ignoreCause(note(`tongs: ${message}.`))
  })

  const failed = (signal: Signal, reason: string) =>
    Effect.suspend((): Effect.Effect<void> => {
      failures.set(signal, reason)
      // A defect, because the exporter would retry a failure.
      return isEnding ? Effect.die(reason) : Effect.void
    })

  const clientOf = (signal: Signal) =>
    HttpClient.transform(client, (sending) =>
      sending.pipe(
        Effect.tap(({ status }) =>
          status < 300 ? Effect.sync(() => failures.delete(signal)) : failed(signal, `status ${status}`)
        ),
        Effect.tapError((error: HttpClientError) => failed(signal, ErrorResponse.transportFailure("", error).detail)),
        Effect.onInterrupt(() => Effect.sync(() => failures.set(signal, "no response")))
      )
    )
  const end = Effect.sync(() => {
    isEnding = true
  })
  return { client: clientOf, end }
})
