import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RcRef from "effect/RcRef"
import type * as Scope from "effect/Scope"
import { type WorkerOptions, SearchWorker } from "./SearchWorker.ts"
import type { Workers } from "./WorkerMethods.ts"

/**
 * Creates a shared worker that callers borrow for a scope. The worker starts on first use, because most commands never
 * search, and ends after the `idle` time without users.
 */
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
  // Replaces a crashed worker.
  const invalidate = (thread: SearchWorker<Role>) => (thread.isAlive ? Effect.void : RcRef.invalidate(ref))
  const borrow: Effect.Effect<SearchWorker<Role>, never, Scope.Scope> = Effect.tap(RcRef.get(ref), (thread) =>
    Effect.addFinalizer(() => invalidate(thread))
  )
  return borrow
})
