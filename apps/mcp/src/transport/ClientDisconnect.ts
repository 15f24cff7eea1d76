/** Detects that the client of a stdio server has disconnected. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** Interval of the checks whether all requests are answered. */
const CHECK_INTERVAL = "5 millis"

/** Number of checks after the end of stdin. */
const MAX_CHECKS = 5

/** Number of checks if stdin ends during the start, because scripts pipe in requests. */
const MAX_START_CHECKS = 400

/**
 * Completes when all requests before the end of stdin are answered, but at most 25 ms after the end, or two seconds if
 * stdin ends during the start. Completes immediately after a write to a closed stdout.
 *
 * **Details**
 *
 * Counts checks instead of time, because a process without CPU time makes no progress towards the answers meanwhile.
 */
export const clientDisconnected = (areAnswered: () => boolean, isOpen: () => boolean) =>
  Effect.raceFirst(
    Effect.andThen(
      stdinEnded,
      Effect.suspend(() => allAnswered(areAnswered, isOpen() ? MAX_CHECKS : MAX_START_CHECKS))
    ),
    stdoutClosed
  )

/** Completes when all requests are answered, or after a number of checks. */
const allAnswered = (areAnswered: () => boolean, checks: number): Effect.Effect<void> =>
  Effect.sync(areAnswered).pipe(
    Effect.repeat({ until: (isDone) => isDone, times: checks, schedule: Schedule.spaced(CHECK_INTERVAL) }),
    Effect.asVoid
  )

const stdinEnded = Effect.callback<void>((resume) => {
  const { stdin } = process
  const end = () => resume(Effect.void)
  if (stdin.readableEnded || stdin.destroyed) return end()
  stdin.on("end", end).on("close", end).on("error", end)
  return Effect.sync(() => stdin.off("end", end).off("close", end).off("error", end))
})

const stdoutClosed = Effect.callback<void>((resume) => {
  const { stdout } = process
  const end = () => resume(Effect.void)
  stdout.on("error", end).on("close", end)
  return Effect.sync(() => stdout.off("error", end).off("close", end))
})
