/** A thread that is there while somebody needs it: most commands search nothing, and most of the time nobody does. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RcRef from "effect/RcRef"
import type * as Scope from "effect/Scope"
import { type Options, Thread } from "./Thread.ts"
import type { Threads } from "./Methods.ts"

/** Gives the thread for as long as a scope. Without users for `idle` it ends. */
export const make = Effect.fnUntraced(function* <Role extends keyof Threads>(
  role: Role,
  idle: Duration.Input,
  options: Options = {}
) {
  const ref = yield* RcRef.make({
    acquire: Effect.acquireRelease(
      Effect.sync(() => new Thread(role, options)),
      (thread) => thread.end
    ),
    idleTimeToLive: idle
  })
  // One that has ended by itself is not asked again.
  const invalidate = (thread: Thread<Role>) => (thread.isAlive ? Effect.void : RcRef.invalidate(ref))
  const borrow: Effect.Effect<Thread<Role>, never, Scope.Scope> = Effect.tap(RcRef.get(ref), (thread) =>
    Effect.addFinalizer(() => invalidate(thread))
  )
  return borrow
})
