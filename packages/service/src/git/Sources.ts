/**
 * What an answer was made of that other programs may change: the references of repositories. Whoever keeps answers
 * provides a set, gets it filled by whatever is looked at on the way, and asks before using an answer again.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Delay from "./Delay.ts"
import type { Turn } from "../base/EventLoopTick.ts"

export interface Source {
  /** Whether it would be read the same now; in a turn, since the turn began. */
  readonly isCurrent: (turn?: Turn) => boolean
}

/** The sources of what is being made; nothing where nobody wants to know. */
export const Sources = Context.Reference<Set<Source> | undefined>("@tongs/service/git/Sources", {
  defaultValue: () => undefined
})

export const add = (source: Source): Effect.Effect<void> => Effect.map(Sources, (sources) => void sources?.add(source))

/** What could not be read could be readable the next moment. */
const unreadable: Source = { isCurrent: () => false }

/** The part of an answer that one of several repositories gives, if it does so soon. An answer without it is not kept. */
export const option = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.option(Effect.tapError(Delay.bounded(effect, Delay.ofLists), () => add(unreadable)))
