/** Whether what goes to a collector arrives. Where it does not, a person is told so, once, when the program ends. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as Answer from "@tongs/core/client/Answer"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../Output.ts"

/**
 * The client of the context for the exporters of a scope, each of which asks one URL. From `end` on nothing is tried a second
 * time: a program that has done its work is not held up by who is not there.
 */
export const make = Effect.fnUntraced(function* (collector: string) {
  const client = yield* HttpClient.HttpClient
  const { note } = yield* Output
  /** By URL, why the last try failed. */
  const troubles = new Map<string, string>()
  let isEnding = false

  yield* Effect.addFinalizer(() => {
    const [why] = troubles.values()
    return why === undefined
      ? Effect.void
      : Effect.ignoreCause(
          note(`tongs: traces and metrics could not be sent to ${collector}: ${Terminal.visible(why)}.`)
        )
  })

  const failed = (url: string, why: string) =>
    Effect.suspend((): Effect.Effect<void> => {
      troubles.set(url, why)
      // A failure is tried again; a defect is not.
      return isEnding ? Effect.die(why) : Effect.void
    })

  const watched = HttpClient.transform(client, (sending, { url }) =>
    sending.pipe(
      Effect.tap(({ status }) =>
        status < 300 ? Effect.sync(() => troubles.delete(url)) : failed(url, `it answered ${status}`)
      ),
      Effect.tapError((error: HttpClientError) => failed(url, Answer.transportFailure("", error).detail)),
      Effect.onInterrupt(() => Effect.sync(() => troubles.set(url, "it does not answer")))
    )
  )
  const end = Effect.sync(() => {
    isEnding = true
  })
  return { client: watched, end }
})
