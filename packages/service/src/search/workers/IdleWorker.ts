/** A thread that is there while somebody needs it: most commands search nothing, and most of the time nobody does. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RcRef from "effect/RcRef"
import type * as Scope from "effect/Scope"
import { type WorkerOptions, SearchWorker } from "./SearchWorker.ts"
import type { Workers } from "./WorkerMethods.ts"

/** Gives the thread for as long as a scope. Without users for `idle` it ends. */
export const make = Effect.fnUntraced(function* <Role extends keyof Workers>(
  role: Role,
  idle: Duration.Input,
  options: WorkerOptions = {}
) {
  const ref = yield* RcRef.make({
    acquire: Effect.acquireRelease(
      Effect.sync(() => new SearchWorker(role, options)),
      (thread) => thread.end
    ),
    idleTimeToLive: idle
  })
  // One that has ended by itself is not asked again.
  const invalidate = (thread: SearchWorker<Role>) => (thread.isAlive ? Effect.void : RcRef.invalidate(ref))
  const borrow: Effect.Effect<SearchWorker<Role>, never, Scope.Scope> = Effect.tap(RcRef.get(ref), (thread) =>
    Effect.addFinalizer(() => invalidate(thread))
  )
  return borrow
})
