/** Coalesces concurrent calls: callers with the same key that arrive during an execution share the next one. */
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Runs an effect and returns the result of an execution for `key` that started no earlier than the call.
 *
 * **Details**
 *
 * For each key, at most one execution is in progress and one is pending, for any number of callers. An execution is
 * interrupted together with the last caller. All effects passed with the same key must be interchangeable. A function
 * is called at once if no execution is in progress. If the function returns a complete effect, that effect is the
 * result, without a fiber.
 */
export type SingleFlight<A, E> = <R>(
  key: string,
  work: Effect.Effect<A, E, R> | (() => Effect.Effect<A, E, R>)
) => Effect.Effect<A, E, R>

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

  const add = <R>(
    key: string,
    runs: Runs<A, E>,
    effect: Effect.Effect<A, E, R>,
    context: Context.Context<R>,
    started?: Fiber.Fiber<A, E>
  ) => {
    const finish = (exit: Exit.Exit<A, E>) => {
      Deferred.doneUnsafe(run.result, exit)
      runs.current = runs.pending
      runs.pending = undefined
      if (runs.current === undefined) byKey.delete(key)
      else runs.current.start()
    }
    const run: Run<A, E> = {
      // A separate fiber, because the caller that started the execution may be interrupted before the remaining
      // callers.
      start: () => {
        run.fiber = started ?? Effect.runForkWith(context)(effect)
        run.fiber.addObserver(finish)
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

  return <R>(key: string, work: Effect.Effect<A, E, R> | (() => Effect.Effect<A, E, R>)) => {
    const effect = Effect.isEffect(work) ? work : Effect.suspend(work)
    const begun = Effect.isEffect(work) || byKey.has(key) ? effect : work()
    if (Exit.isExit(begun)) return begun
    return Effect.contextWith((context: Context.Context<R>) => {
      // An execution that does not wait cannot be shared.
      const started = byKey.has(key) ? undefined : Effect.runForkWith(context)(begun)
      const exit = started?.pollUnsafe()
      if (exit !== undefined) return exit
      return Effect.uninterruptibleMask((restore) => {
        const runs = byKey.get(key) ?? { current: undefined, pending: undefined }
        byKey.set(key, runs)
        const run = runs.pending ?? add(key, runs, effect, context, started)
        run.callers += 1
        return Effect.onInterrupt(restore(Deferred.await(run.result)), () => leave(runs, run))
      })
    })
  }
}
