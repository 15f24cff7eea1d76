/** Effects that are already complete on creation, for example look-ups in a cache, and that need no fiber. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/** Returns the value of a complete effect, as created by `Effect.succeed`. */
export const valueOf = <A, E, R>(effect: Effect.Effect<A, E, R>): { readonly value: A } | undefined =>
  isComplete(effect) ? effect : undefined

const isComplete = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Success<A, E> =>
  Exit.isExit(effect) && Exit.isSuccess(effect)

/** `Effect.map` that applies `use` at once to the value of a complete effect. */
export const map = <A, B, E, R>(effect: Effect.Effect<A, E, R>, use: (value: A) => B): Effect.Effect<B, E, R> => {
  const complete = valueOf(effect)
  return complete === undefined ? Effect.map(effect, use) : Effect.succeed(use(complete.value))
}

/** `Effect.flatMap` that applies `use` at once to the value of a complete effect. */
export const flatMap = <A, B, E, E2, R, R2>(
  effect: Effect.Effect<A, E, R>,
  use: (value: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2, R | R2> => {
  const complete = valueOf(effect)
  return complete === undefined ? Effect.flatMap(effect, use) : use(complete.value)
}

/**
 * Starts an incomplete effect in a fiber. Returns the result of an effect that does not wait. Otherwise returns an
 * effect that waits for the fiber and interrupts the fiber.
 */
export const start = <A, E>(
  effect: Effect.Effect<A, E>,
  run: (effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
): Effect.Effect<A, E> => {
  if (Exit.isExit(effect)) return effect
  const fiber = run(effect)
  return fiber.pollUnsafe() ?? Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber))
}

/** `Effect.forEach` that starts fibers only if an effect is not complete. */
export const forEach = <A, B, E, R>(
  items: ReadonlyArray<A>,
  use: (item: A) => Effect.Effect<B, E, R>,
  options: { readonly concurrency: number }
): Effect.Effect<ReadonlyArray<B>, E, R> =>
  Effect.suspend(() => {
    const effects = items.map(use)
    const values: Array<B> = []
    for (const effect of effects) {
      const complete = valueOf(effect)
      if (complete === undefined) return Effect.all(effects, options)
      values.push(complete.value)
    }
    return Effect.succeed(values)
  })
