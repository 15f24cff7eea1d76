/**
 * A batch of I/O events that one iteration of Node's event loop took from the operating system.
 *
 * **Details**
 *
 * All requests of a batch arrived before the process handled the first of them, so they can share one read of the file
 * system: the data that it returns is no older than any of these requests.
 */
import { performance } from "node:perf_hooks"

export interface EventLoopTick {
  /** Number of loop iterations, and number of events that the process had handled before this batch. */
  readonly loop: number
  readonly events: number
}

let latest: EventLoopTick = { loop: -1, events: -1 }

/** Returns the current tick, the same object for all its callbacks. Call it only in a callback of the event loop. */
export const current = (): EventLoopTick => {
  const { events, loopCount: loop } = performance.nodeTiming.uvMetricsInfo
  if (latest.loop !== loop || latest.events !== events) latest = { loop, events }
  return latest
}

/** Creates a function that calls `read` once per tick, or on each call without a tick. */
export const oncePerTick = <A>(read: () => A): ((tick: EventLoopTick | undefined) => A) => {
  let cached: { readonly tick: EventLoopTick; readonly value: A } | undefined
  return (tick) => {
    if (tick !== undefined && cached?.tick === tick) return cached.value
    const value = read()
    cached = tick === undefined ? undefined : { tick, value }
    return value
  }
}
