/** Coalesces calls: callers of one key that arrive during a run share the next run. */
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Runs the effect of a key and returns the result of a run that started no earlier than the call.
 *
 * **Details**
 *
 * For each key at most one run is in progress and at most one is pending, however many callers wait. A run ends when its
 * last caller is interrupted. All effects of a key must be interchangeable.
 */
export type SingleFlight<A, E> = <R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Run<A, E> {
  readonly start: () => void
  readonly result: Deferred.Deferred<A, E>
  callers: number
  fiber: Fiber.Fiber<A, E> | undefined
}

interface Runs<A, E> {
  current: Run<A, E> | undefined
  pending: Run<A, E> | undefined
}

export const make = <A, E>(): SingleFlight<A, E> => {
  const byKey = new Map<string, Runs<A, E>>()

  const add = <R>(key: string, runs: Runs<A, E>, effect: Effect.Effect<A, E, R>, context: Context.Context<R>) => {
    const finish = (exit: Exit.Exit<A, E>) => {
      Deferred.doneUnsafe(run.result, exit)
      runs.current = runs.pending
      runs.pending = undefined
      if (runs.current === undefined) byKey.delete(key)
      else runs.current.start()
    }
    const run: Run<A, E> = {
      // A separate fiber, because the caller that started the run may be interrupted before the others.
      start: () => {
        run.fiber = Effect.runForkWith(context)(Effect.onExit(effect, (exit) => Effect.sync(() => finish(exit))))
      },
      result: Deferred.makeUnsafe(),
      callers: 0,
      fiber: undefined
    }
    if (runs.current === undefined) {
      runs.current = run
      run.start()
    } else runs.pending = run
    return run
  }

  const leave = (runs: Runs<A, E>, run: Run<A, E>) =>
    Effect.suspend(() => {
      run.callers -= 1
      if (run.callers > 0) return Effect.void
      if (runs.pending === run) runs.pending = undefined
      return run.fiber === undefined ? Effect.void : Fiber.interrupt(run.fiber)
    })

  return <R>(key: string, effect: Effect.Effect<A, E, R>) =>
    Effect.contextWith((context: Context.Context<R>) =>
      Effect.uninterruptibleMask((restore) => {
        const runs = byKey.get(key) ?? { current: undefined, pending: undefined }
        byKey.set(key, runs)
        const run = runs.pending ?? add(key, runs, effect, context)
        run.callers += 1
        return Effect.onInterrupt(restore(Deferred.await(run.result)), () => leave(runs, run))
      })
    )
}
