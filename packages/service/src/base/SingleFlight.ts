/** Coalesces concurrent calls: callers with the same key that arrive during an execution share the next one. */
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Runs an effect and returns the result of an execution for `key` that started no earlier than the call.
 *
 * **Details**
 *
 * For each key, at most one execution is in progress and one is pending, however many callers wait. An execution is
 * interrupted together with its last caller. All effects passed with the same key must be interchangeable.
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
      // A separate fiber, because the caller that started the execution may be interrupted before the others.
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
