/** Reports requests that wait long, so that no program hangs in silence. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Queue from "./Queue.ts"

/** Milliseconds after which a wait is long. */
export const LONG_WAIT = 3_000

/** Milliseconds between two checks of a queue. One timer serves all waiting requests. */
const INTERVAL = 1_000

/**
 * Calls `onLongWait` once for each request of the queue whose wait is long or will be. Checks the queue at once, and
 * then repeatedly until the queue is empty or the Effect `scope` is closed.
 */
export const watch = (queue: Queue.Queue, scope: Scope.Scope, clockOffset: () => number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const check = Effect.clockWith((clock) =>
      Effect.sync(() => report(queue, clock.currentTimeMillisUnsafe() + clockOffset(), clockOffset()))
    )
    if (queue.isWatched) return check
    queue.isWatched = true
    const checks = Effect.whileLoop({
      while: () => (queue.isWatched = queue.size > 0),
      body: () => Effect.andThen(Effect.sleep(INTERVAL), check),
      step: () => {}
    })
    return Effect.andThen(check, Effect.forkIn(Effect.interruptible(checks), scope))
  })

const report = (queue: Queue.Queue, now: number, clockOffset: number): void => {
  for (const { wait, waiters } of queue.lanes) {
    const isKnown = (wait?.until ?? now) - now > LONG_WAIT
    for (const waiter of waiters) {
      // Later requests have waited less.
      if (!isKnown && now - waiter.since < LONG_WAIT) break
      if (waiter.isReported) continue
      waiter.isReported = true
      const until = wait?.until === undefined ? undefined : Math.max(wait.until, now) - clockOffset
      waiter.request.onLongWait?.(wait?.reason ?? "concurrency", until)
    }
  }
}
