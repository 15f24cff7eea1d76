/**
 * What an answer was made of that other programs may change: the references of repositories. Whoever keeps answers
 * provides a set, gets it filled by whatever is looked at on the way, and asks before using an answer again.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as ReadDeadline from "./ReadDeadline.ts"
import type { EventLoopTick } from "../base/EventLoopTick.ts"

export interface CacheDependency {
  /** Whether it would be read the same now; in a turn, since the turn began. */
  readonly isCurrent: (tick?: EventLoopTick) => boolean
}

/** The sources of what is being made; nothing where nobody wants to know. */
export const CacheDependencies = Context.Reference<Set<CacheDependency> | undefined>(
  "@tongs/service/git/CacheDependencies",
  {
    defaultValue: () => undefined
  }
)

export const add = (source: CacheDependency): Effect.Effect<void> =>
  Effect.map(CacheDependencies, (sources) => void sources?.add(source))

/** What could not be read could be readable the next moment. */
const unreadable: CacheDependency = { isCurrent: () => false }

/** The part of an answer that one of several repositories gives, if it does so soon. An answer without it is not kept. */
export const optional = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.option(Effect.tapError(ReadDeadline.withDeadline(effect, ReadDeadline.listDeadline), () => add(unreadable)))
