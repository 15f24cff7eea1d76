/**
 * State outside the database that a cached response depends on, such as the references of a repository. A cache provides
 * a set, every read of such state during the computation adds a dependency to the set, and the cache checks all
 * dependencies before it reuses the response.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as ReadDeadline from "./ReadDeadline.ts"
import type { EventLoopTick } from "../base/EventLoopTick.ts"

/** Something that a response was computed from and that other programs may change. */
export interface CacheDependency {
  /** Whether it would be read the same now; in a turn, since the turn began. */
  readonly isCurrent: (tick?: EventLoopTick) => boolean
}

/** Dependencies of the current computation; `undefined` outside a cache. */
export const CacheDependencies = Context.Reference<Set<CacheDependency> | undefined>(
  "@tongs/service/git/CacheDependencies",
  {
    defaultValue: () => undefined
  }
)

/** Records a dependency of the current computation. */
export const add = (source: CacheDependency): Effect.Effect<void> =>
  Effect.map(CacheDependencies, (sources) => void sources?.add(source))

/** Dependency on a failed read. It is never current, so the response is not cached: the next read may succeed. */
const unreadable: CacheDependency = { isCurrent: () => false }

/**
 * One repository's part of a response about several. `None` if it fails or misses `ReadDeadline.listDeadline`; the
 * response is then not cached.
 */
export const optional = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.option(Effect.tapError(ReadDeadline.withDeadline(effect, ReadDeadline.listDeadline), () => add(unreadable)))
