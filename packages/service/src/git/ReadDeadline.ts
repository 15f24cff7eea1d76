/** A bound for how long one repository may delay an answer about several. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type GitError, unavailable } from "./GitError.ts"

/** For lists, where a repository that is left out is missed. A healthy one answers in a hundredth of it. */
export const listDeadline = Duration.seconds(5)

/** For searches, which take four seconds in all. */
export const searchDeadline = Duration.seconds(1.5)

/**
 * Fails with `Unavailable` unless the effect ends soon. The effect itself runs on to the deadline of its git command,
 * so that the next callers of a repository that hangs are refused at once.
 */
export const withDeadline = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.Duration
): Effect.Effect<A, E | GitError, R> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    Effect.timeoutOrElse(Fiber.join(fiber), {
      duration,
      orElse: () => Effect.fail(unavailable(`no answer within ${Duration.format(duration)}`))
    })
  )
