/** A bound for how long one repository may delay an answer about several. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type GitError, unavailable } from "./GitError.ts"

/** Milliseconds; a healthy repository answers in a hundredth of it, and one that is left out is missed. */
const maxDelay = 5000

/**
 * Fails with `Unavailable` unless the effect ends soon. The effect itself runs on to the deadline of its git command,
 * so that the next callers of a repository that hangs are refused at once.
 */
export const bounded = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | GitError, R> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    Effect.timeoutOrElse(Fiber.join(fiber), {
      duration: maxDelay,
      orElse: () => Effect.fail(unavailable(`no answer within ${maxDelay / 1000} s`))
    })
  )
