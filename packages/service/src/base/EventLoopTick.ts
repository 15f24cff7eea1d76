/**
 * A batch of events that one iteration of the event loop took from the operating system.
 *
 * **Details**
 *
 * All requests of a batch arrived before the process handled the first of them, so they can share one read of the file
 * system: it is no older than any of them. Reads cached in an earlier tick are not reused.
 */
import { performance } from "node:perf_hooks"

export interface EventLoopTick {
  /** Iterations of the loop, and events handled before this batch. */
  readonly loop: number
  readonly events: number
}

let latest: EventLoopTick = { loop: -1, events: -1 }

/** The current tick: one object while it lasts. Meaningful only in a callback of the event loop. */
export const current = (): EventLoopTick => {
  const { events, loopCount: loop } = performance.nodeTiming.uvMetricsInfo
  if (latest.loop !== loop || latest.events !== events) latest = { loop, events }
  return latest
}

/** Caches a read for one tick. Without a tick, each call reads. */
export const oncePerTick = <A>(read: () => A): ((tick: EventLoopTick | undefined) => A) => {
  let cached: { readonly tick: EventLoopTick; readonly value: A } | undefined
  return (tick) => {
    if (tick !== undefined && cached?.tick === tick) return cached.value
    const value = read()
    cached = tick === undefined ? undefined : { tick, value }
    return value
  }
}
