/** Deadlines for reading one of several repositories, so that a slow repository cannot delay the whole response. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type GitError, unavailable } from "./GitError.ts"

/** For lists, which should be complete. A healthy repository needs a hundredth of this time. */
export const listDeadline = Duration.seconds(5)

/** For searches, which take at most four seconds in total. */
export const searchDeadline = Duration.seconds(1.5)

/**
 * Fails with `Unavailable` after `duration`. The effect continues in the background until the git command's deadline,
 * so that later callers of a hanging repository are rejected at once.
 */
export const withDeadline = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.Duration
): Effect.Effect<A, E | GitError, R> =>
  Effect.flatMap(
    Effect.forkDetach(effect, { startImmediately: true }),
    (fiber): Effect.Effect<A, E | GitError> =>
      // Most reads are in memory and complete at once, without a timer.
      fiber.pollUnsafe() ??
      Effect.timeoutOrElse(Fiber.join(fiber), {
        duration,
        orElse: () => Effect.fail(unavailable(`no response within ${Duration.format(duration)}`))
      })
  )
