/**
 * One batch of what the operating system had for the process when the event loop last waited for it.
 *
 * **Details**
 *
 * Whoever came with a batch had come before any of it was worked on. So what was looked at for the first request of a
 * batch is as new as the others of the batch may ask for, however many they are: they share the look. A look of an
 * earlier batch is none for them.
 */
import { performance } from "node:perf_hooks"

export interface EventLoopTick {
  /** How often the loop has gone round, and how many events it had worked on before this batch. */
  readonly loop: number
  readonly events: number
}

let latest: EventLoopTick = { loop: -1, events: -1 }

/** The turn that it is now: the same object as long as it lasts. Only for what came in by the event loop. */
export const current = (): EventLoopTick => {
  const { events, loopCount: loop } = performance.nodeTiming.uvMetricsInfo
  if (latest.loop !== loop || latest.events !== events) latest = { loop, events }
  return latest
}

/** A look that is taken once a turn; each time for a caller who names none. */
export const oncePerTick = <A>(look: () => A): ((turn: EventLoopTick | undefined) => A) => {
  let known: { readonly turn: EventLoopTick; readonly value: A } | undefined
  return (turn) => {
    if (turn !== undefined && known?.turn === turn) return known.value
    const value = look()
    known = turn === undefined ? undefined : { turn, value }
    return value
  }
}
