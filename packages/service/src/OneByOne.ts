/** Work that several want at one time, and that is kept once it is done: one does it, the others look for it then. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** Effects of one key run one after the other, each to look first whether there is anything left to do. */
export type OneByOne = <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const make = (): OneByOne => {
  const lines = new Map<string, { readonly semaphore: Semaphore.Semaphore; length: number }>()
  return (key, effect) =>
    Effect.suspend(() => {
      const line = lines.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), length: 0 }
      lines.set(key, line)
      line.length += 1
      const leave = Effect.sync(() => {
        line.length -= 1
        if (line.length === 0) lines.delete(key)
      })
      return Effect.ensuring(line.semaphore.withPermit(effect), leave)
    })
}
