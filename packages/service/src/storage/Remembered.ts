/** What was read from the store, kept for as long as nothing in the store changes. */
import * as Effect from "effect/Effect"
import type { StoreRevision } from "./Sqlite.ts"

export interface Remembered<A> {
  /** The value of a key; `read` where it is not known. What is undefined is not kept. */
  readonly get: <B extends A | undefined, E, R>(key: string, read: Effect.Effect<B, E, R>) => Effect.Effect<A | B, E, R>
}

/** At most `limit` values are kept at one time. */
export const make = <A>(revision: StoreRevision["Service"], limit: number): Remembered<A> => {
  const values = new Map<string, A>()
  let seen = ""
  return {
    get: <B extends A | undefined, E, R>(key: string, read: Effect.Effect<B, E, R>) =>
      Effect.suspend((): Effect.Effect<A | B, E, R> => {
        const current = revision.current()
        if (current !== seen || values.size >= limit) values.clear()
        seen = current
        const known = values.get(key)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.map(read, (value) => {
          // What changed during the reading shows by the next revision; what was seen to change already, here.
          if (value !== undefined && seen === current) values.set(key, value)
          return value
        })
      })
  }
}
