/**
 * A batch of I/O events that one iteration of Node's event loop took from the operating system.
 *
 * **Details**
 *
 * All requests of a batch arrived before the process handled the first request, so that they can share one read of the
 * file system: the data is no older than any of these requests.
 */
import { performance } from "node:perf_hooks"

export interface EventLoopTick {
  /** Number of loop iterations, and number of events that the process had handled before this batch. */
  readonly loop: number
  readonly events: number
}

let latest: EventLoopTick = { loop: -1, events: -1 }

/**
 * Returns the current tick, the same object for all callbacks of the tick. Call this only in a callback of the event
 * loop.
 */
export const current = (): EventLoopTick => {
  const { events, loopCount: loop } = performance.nodeTiming.uvMetricsInfo
  if (latest.loop !== loop || latest.events !== events) latest = { loop, events }
  return latest
}

let shared: EventLoopTick | undefined

/**
 * Runs `use`. Inside, reads of `oncePerTick` are shared with other calls for the same tick. Asynchronous work of `use`
 * after the return reads again. Without a tick, nothing is shared.
 */
export const share = <A>(tick: EventLoopTick | undefined, use: () => A): A => {
  const outer = shared
  shared = tick
  try {
    return use()
  } finally {
    shared = outer
  }
}

/** Creates a function that calls `read` once per tick inside `share`, and on each call outside of `share`. */
export const oncePerTick = <A>(read: () => A): (() => A) => {
  let cached: { readonly tick: EventLoopTick; readonly value: A } | undefined
  return () => {
    const tick = shared
    if (tick !== undefined && cached?.tick === tick) return cached.value
    const value = read()
    cached = tick === undefined ? undefined : { tick, value }
    return value
  }
}
