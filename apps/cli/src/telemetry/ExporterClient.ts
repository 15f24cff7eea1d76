/** Whether what goes to a collector arrives. Where it does not, a person is told so, once, when the program ends. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as ErrorResponse from "@tongs/core/client/ErrorResponse"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"

const signals = ["traces", "metrics"] as const // their names are types
type Signal = (typeof signals)[number]

/** What some collectors answer where metrics go: they take traces alone. */
const UNKNOWN = "it answered 404"

/**
 * The client of the context for the exporters of a scope, by what they send. From `end` on nothing is tried a second
 * time: a program that has done its work is not held up by who is not there.
 */
export const make = Effect.fnUntraced(function* (collector: string) {
  const client = yield* HttpClient.HttpClient
  const { note } = yield* Output
  /** By what was to be sent, why the last try failed. */
  const troubles = new Map<Signal, string>()
  let isEnding = false

  yield* Effect.addFinalizer(() => {
    const lost = signals.filter((what) => troubles.has(what))
    const [first] = lost
    const why = first && troubles.get(first)
    if (why === undefined || (first === "metrics" && why === UNKNOWN)) return Effect.void
    const said = `${lost.join(" and ")} could not be sent to ${collector}: ${Terminal.escape(why)}`
    return Effect.ignoreCause(note(`tongs: ${said}.`))
  })

  const failed = (what: Signal, why: string) =>
    Effect.suspend((): Effect.Effect<void> => {
      troubles.set(what, why)
      // A failure is tried again; a defect is not.
      return isEnding ? Effect.die(why) : Effect.void
    })

  const clientOf = (what: Signal) =>
    HttpClient.transform(client, (sending) =>
      sending.pipe(
        Effect.tap(({ status }) =>
          status < 300 ? Effect.sync(() => troubles.delete(what)) : failed(what, `it answered ${status}`)
        ),
        Effect.tapError((error: HttpClientError) => failed(what, ErrorResponse.transportFailure("", error).detail)),
        Effect.onInterrupt(() => Effect.sync(() => troubles.set(what, "it does not answer")))
      )
    )
  const end = Effect.sync(() => {
    isEnding = true
  })
  return { client: clientOf, end }
})
