import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

/** Semaphores by key. A semaphore exists only during use. */
export interface KeyedSemaphore {
  /** Waits for a permit of the key, which the scope releases. */
  readonly take: (key: string) => Effect.Effect<void, never, Scope.Scope>
  /** Runs an effect with a permit of the key. */
  readonly withPermit: (key: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Creates semaphores with `permits` for each key. */
export const make = (permits: number): KeyedSemaphore => {
  const entries = new Map<string, { readonly semaphore: Semaphore.Semaphore; users: number }>()

  const enter = (key: string) => {
    const entry = entries.get(key) ?? { semaphore: Semaphore.makeUnsafe(permits), users: 0 }
    entries.set(key, entry)
    entry.users++
    return entry
  }

  const leave = (key: string, entry: { users: number }) => {
    if (--entry.users === 0) entries.delete(key)
  }

  return {
    take: (key) =>
      Effect.flatMap(
        Effect.acquireRelease(
          Effect.sync(() => enter(key)),
          (entry) => Effect.sync(() => leave(key, entry))
        ),
        ({ semaphore }) => takePermit(semaphore)
      ),
    withPermit: (key) => (effect) =>
      Effect.suspend(() => {
        const entry = enter(key)
        return Effect.ensuring(
          entry.semaphore.withPermit(effect),
          Effect.sync(() => leave(key, entry))
        )
      })
  }
}

/** Waits for a permit, which the scope releases. */
export const takePermit = (semaphore: Semaphore.Semaphore): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(Effect.acquireRelease(semaphore.take(1), () => semaphore.release(1), { interruptible: true }))
