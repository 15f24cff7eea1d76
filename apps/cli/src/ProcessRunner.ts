/** Runs an effect as the program, and exits with the resulting code. */
import * as Effect from "effect/Effect"
import * as Exit_ from "effect/Exit"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Runtime from "effect/Runtime"
import * as Logging from "./base/Logging.ts"
import { Output } from "./base/Output.ts"
import * as Signals from "./base/Signals.ts"
import * as ExitCode from "./ExitCode.ts"

/** Runs an effect as the program. Unlike `NodeRuntime`, handles SIGHUP, and exits with the exit code of the signal. */
const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  let received: Signals.Signal | undefined
  const interrupt = (signal: Signals.Signal) => {
    received ??= signal
    fiber.interruptUnsafe(fiber.id)
  }
  for (const signal of Signals.names) process.on(signal, interrupt)
  fiber.addObserver((exit) => {
    for (const signal of Signals.names) process.off(signal, interrupt)
    teardown(exit, (code) => {
      if (received !== undefined) process.exit(Signals.codes[received])
      if (code !== ExitCode.codes.fine) process.exit(code)
    })
  })
})

const layer = Layer.mergeAll(Output.layer, Logging.layer, Layer.succeed(References.MinimumLogLevel, "Warn"))

/** Runs an effect that returns an exit code in this process, with the output streams and the logger. */
export const main = (program: Effect.Effect<number, never, Output>): void => {
  // Failed writes are reported as `OutputFailed`. Without a listener, the event would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  runMain(Effect.provide(program, layer), {
    disableErrorReporting: true,
    teardown: (exit, end) => end(Exit_.isSuccess(exit) ? Number(exit.value) : ExitCode.codes.interrupted)
  })
}
