/** Detects that the client of a stdio server has disconnected. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Time for calls in flight to finish after the end of stdin. */
const grace = Duration.millis(25)

/** Maximum time for the start to finish if stdin has ended, because scripts pipe in requests. */
const startGrace = Duration.seconds(1)

/** Time for the calls of a script without an end to finish after the start. */
const scriptGrace = Duration.millis(250)

/**
 * Completes 25 ms after the end of stdin, or immediately after a write to a closed stdout. If stdin ends during the
 * start, waits up to a second until the server has `settled` the messages before the end, and 250 ms for the answers.
 */
export const clientDisconnected = (settled: Effect.Effect<void>) =>
  Effect.raceFirst(
    Effect.gen(function* () {
      yield* stdinEnded
      const started = yield* Effect.forkChild(Effect.timeoutOption(settled, startGrace))
      yield* Effect.sleep(grace)
      if (started.pollUnsafe() !== undefined) return
      yield* Fiber.join(started)
      yield* Effect.sleep(scriptGrace)
    }),
    stdoutClosed
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
