/** Tests whether a forge has the extensions of the API, which some tools need. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Forge } from "@tongs/core/client/Forge"

/** Maximum time of the request. Clients do not start before they have the list of tools. */
const limit = Duration.seconds(2)

/**
 * Creates an effect that asks the forge once, and caches the answer. Undefined if the forge does not answer in time:
 * the next run asks again. No request is sent if the client already knows that the forge has no extensions.
 */
export const make = (forge: Pick<Forge["Service"], "codeIndex">): Effect.Effect<boolean | undefined> => {
  let known: boolean | undefined
  const ask = Effect.gen(function* () {
    const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(limit)
    yield* forge.codeIndex.get({ deadline, timeout: Duration.toMillis(limit), priority: "interactive" })
    return true
  }).pipe(
    Effect.catchTag("Unsupported", () => Effect.succeed(false)),
    Effect.catch(() => Effect.undefined),
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.undefined }),
    Effect.tap((has) => Effect.sync(() => (known = has)))
  )
  const one = Semaphore.makeUnsafe(1)
  return one.withPermit(Effect.suspend(() => (known === undefined ? ask : Effect.succeed(known))))
}
