/**
 * State outside the database that a cached response depends on, such as the references of a repository. A cache
 * provides a set, every read of this state during the computation adds a dependency to the set, and the cache checks
 * all dependencies before reusing the response.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ReadyEffects from "../../base/ReadyEffects.ts"
import * as ReadDeadline from "./ReadDeadline.ts"

/** Something that a response was computed from and that other programs may change. */
export interface CacheDependency {
  /**
   * True if a read would give the same value now. Inside `EventLoopTick.share`, the check may be that of another
   * request.
   */
  readonly isCurrent: () => boolean
}

/** Dependencies of the current computation; `undefined` outside a cache. */
export const CacheDependencies = Context.Reference<Set<CacheDependency> | undefined>(
  "@tongs/service/git/values/CacheDependencies",
  {
    defaultValue: () => undefined
  }
)

let collecting: Set<CacheDependency> | undefined

/**
 * Runs `use` and adds the dependencies of the returned effect to `sources`, including any part completed before `use`
 * returns.
 */
export const collect = <A, E, R>(
  sources: Set<CacheDependency>,
  use: () => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const outer = collecting
  collecting = sources
  try {
    const effect = use()
    return Exit.isExit(effect) ? effect : Effect.provideService(effect, CacheDependencies, sources)
  } finally {
    collecting = outer
  }
}

/** Returns the dependencies of the current computation during `collect`, before the computation waits. */
export const collected = (): Set<CacheDependency> | undefined => collecting

/** Records a dependency of the current computation. */
export const add = (source: CacheDependency): Effect.Effect<void> =>
  Effect.map(CacheDependencies, (sources) => void sources?.add(source))

/** Dependency that is never current, for example on a failed read. The response is not cached. */
export const changing: CacheDependency = { isCurrent: () => false }

/**
 * One repository's part of a response about several. Undefined after a failure or after `ReadDeadline.listDeadline`;
 * the response is then not cached.
 */
export const optional = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, never, R> => {
  const complete = ReadyEffects.valueOf(effect)
  if (complete !== undefined) return Effect.succeed(complete.value)
  return ReadDeadline.withDeadline(effect, ReadDeadline.listDeadline).pipe(
    Effect.catch(() => Effect.as(add(changing), undefined))
  )
}
