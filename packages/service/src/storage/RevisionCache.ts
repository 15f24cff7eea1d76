/** Values read from the store, cached until the store changes. */
import * as Effect from "effect/Effect"
import type { StoreRevision } from "./Sqlite.ts"

export interface RevisionCache<A> {
  /** The cached value of a key, else that of `read`. `undefined` is not cached. */
  readonly get: <B extends A | undefined, E, R>(key: string, read: Effect.Effect<B, E, R>) => Effect.Effect<A | B, E, R>
}

/** Caches at most `limit` values; the one that was added first goes first. One that is no longer current is read again. */
export const make = <A>(
  revision: StoreRevision["Service"],
  limit: number,
  isCurrent: (value: A) => boolean = () => true
): RevisionCache<A> => {
  const values = new Map<string, A>()
  let seen = ""

  const set = (key: string, value: A) => {
    const oldest = values.keys().next()
    if (values.size >= limit && !values.has(key) && oldest.done === false) values.delete(oldest.value)
    values.set(key, value)
  }

  return {
    get: <B extends A | undefined, E, R>(key: string, read: Effect.Effect<B, E, R>) =>
      Effect.suspend((): Effect.Effect<A | B, E, R> => {
        const current = revision.current()
        if (current !== seen) values.clear()
        seen = current
        const known = values.get(key)
        if (known !== undefined && isCurrent(known)) return Effect.succeed(known)
        return Effect.map(read, (value) => {
          // A change during the read that another caller has seen cleared the cache; any other shows at the next look-up.
          if (value !== undefined && seen === current) set(key, value)
          return value
        })
      })
  }
}
