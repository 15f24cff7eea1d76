/**
 * Starts calls at a pace that forges bear. Forges count the time of responses against the credential, and hundreds of
 * concurrent requests take longer each, so that a burst uses up a minute's time before the first response.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"

/** Number of calls that may have started without an end. */
const STARTING = 4

/** Milliseconds after which a call no longer counts as starting, so that slow calls do not delay further calls. */
const START = 250

/** Starts calls. */
export interface Pace {
  /** Runs a call. If many calls start at the same time, waits for earlier ones. */
  readonly run: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Creates the pace of a server. */
export const make = (): Pace => {
  const starting = Semaphore.makeUnsafe(STARTING)
  return {
    run: (call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          yield* restore(starting.take(1))
          let isStarting = true
          const started = Effect.suspend(() => {
            if (!isStarting) return Effect.void
            isStarting = false
            return starting.release(1)
          })
          const timer = yield* Effect.forkChild(Effect.interruptible(Effect.delay(started, START)))
          return yield* Effect.ensuring(restore(call), Effect.andThen(Fiber.interrupt(timer), started))
        })
      )
  }
}
