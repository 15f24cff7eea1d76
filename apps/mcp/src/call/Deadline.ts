/** The time limit of a call, which stops while a person decides. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** A time limit that can be paused. */
export interface Deadline {
  /** Interrupts an effect at the end of the limit, and then returns `None`. */
  readonly limit: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  /** Runs an effect whose time does not count. */
  readonly pause: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly isPaused: () => boolean
  /** Returns the end of a call that started at a time, in epoch milliseconds. */
  readonly end: (start: number) => number
}

/** Creates a time limit for one call. */
export const make = (duration: Duration.Input): Deadline => {
  const length = Duration.toMillis(Duration.fromInputUnsafe(duration))
  let paused = 0
  let pause: Deferred.Deferred<void> | undefined
  const expire = Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    while (true) {
      if (pause !== undefined) yield* Deferred.await(pause)
      const rest = start + length + paused - (yield* Clock.currentTimeMillis)
      if (rest <= 0) return Option.none()
      yield* Effect.sleep(rest)
    }
  })
  return {
    limit: (effect) => Effect.raceFirst(Effect.asSome(effect), expire),
    pause: (effect) =>
      Effect.gen(function* () {
        const started = yield* Clock.currentTimeMillis
        const done = (pause = yield* Deferred.make<void>())
        const resume = Effect.gen(function* () {
          paused += (yield* Clock.currentTimeMillis) - started
          pause = undefined
          yield* Deferred.succeed(done, undefined)
        })
        return yield* Effect.ensuring(effect, resume)
      }),
    isPaused: () => pause !== undefined,
    end: (start) => start + length + paused
  }
}
