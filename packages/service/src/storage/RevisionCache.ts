/** Caches values read from the database until the database changes. */
import * as Effect from "effect/Effect"
import { LruCache } from "../base/LruCache.ts"
import type { StoreRevision } from "./StoreRevision.ts"

export interface RevisionCache<A> {
  /** Returns the cached value of a key, if current. */
  readonly find: (key: string) => A | undefined
  /** Returns a function like `find` for use without a wait. Asks for the revision once, which takes microseconds. */
  readonly finder: () => (key: string) => A | undefined
  /** Returns the cached value of a key, or runs `read`. Does not cache `undefined`. */
  readonly get: <B extends A | undefined, E, R>(key: string, read: Effect.Effect<B, E, R>) => Effect.Effect<A | B, E, R>
  /** Returns the values of keys. Reads those that are not cached at once. */
  readonly getAll: <E, R>(
    keys: ReadonlyArray<string>,
    read: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, A>, E, R>
  ) => Effect.Effect<ReadonlyMap<string, A>, E, R>
}

/**
 * Creates a cache of values that evicts those that were not used lately, when the sum of their weights, by default 1,
 * exceeds `limit`. A change of the database clears the cache.
 */
export const make = <A>(
  revision: Pick<StoreRevision["Service"], "current" | "isIsolated">,
  limit: number,
  isCurrent: (value: A) => boolean = () => true,
  weightOf: (value: A) => number = () => 1
): RevisionCache<A> => {
  let values = new LruCache<A>(limit)
  let seen = ""

  const set = (key: string, value: A) => values.set(key, value, weightOf(value))

  const finder = () => {
    const current = revision.current()
    if (current !== seen) values = new LruCache<A>(limit)
    seen = current
    return (key: string): A | undefined => {
      const known = values.get(key)
      return known !== undefined && isCurrent(known) ? known : undefined
    }
  }

  const find = (key: string): A | undefined => finder()(key)

  const get = <B extends A | undefined, E, R>(key: string, read: Effect.Effect<B, E, R>) =>
    Effect.suspend((): Effect.Effect<A | B, E, R> => {
      const known = find(key)
      if (known !== undefined) return Effect.succeed(known)
      const current = seen
      return Effect.map(read, (value) => {
        // If another `get` noticed a change during this read, the value may be outdated and is not cached.
        if (value !== undefined && seen === current) set(key, value)
        return value
      })
    })

  const getAll: RevisionCache<A>["getAll"] = (keys, read) =>
    Effect.suspend(() => {
      const known = new Map<string, A>()
      const findNow = finder()
      for (const key of keys) {
        const value = findNow(key)
        if (value !== undefined) known.set(key, value)
      }
      const missing = keys.filter((key) => !known.has(key))
      if (missing.length === 0) return Effect.succeed(known)
      const current = seen
      return Effect.map(read(missing), (found) => {
        if (seen === current) for (const [key, value] of found) set(key, value)
        return new Map([...known, ...found])
      })
    })

  const { isIsolated } = revision
  if (isIsolated === undefined) return { find, finder, get, getAll }
  return {
    find,
    finder,
    get: (key, read) => Effect.flatMap(isIsolated, (isolated) => (isolated ? read : get(key, read))),
    getAll: (keys, read) => Effect.flatMap(isIsolated, (isolated) => (isolated ? read(keys) : getAll(keys, read)))
  }
}
