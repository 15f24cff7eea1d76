/** Runs command lines, with the services that commands need. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Exit_ from "effect/Exit"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Runtime from "effect/Runtime"
import * as Command from "effect/cli/Command"
import * as ExitCode from "./ExitCode.ts"
import * as Help from "./base/Help.ts"
import * as Log from "./base/Log.ts"
import { Output } from "./base/Output.ts"
import { root } from "./RootCommand.ts"
import * as Session from "./session/Session.ts"
import { version } from "./base/Version.ts"

/** Runs a command line and returns the exit code. */
export const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  return yield* Command.runWith(root, { version })(args).pipe(
    Effect.as<number>(ExitCode.codes.fine),
    Effect.catchCause(ExitCode.report),
    Effect.scoped
  )
}, Effect.provide(Help.layer))

const layer = Layer.mergeAll(
  Layer.provideMerge(Session.layerUser, NodeServices.layer),
  Output.layer,
  Log.layer,
  Layer.succeed(References.MinimumLogLevel, "Warn")
)

/** Runs an effect as the program. Unlike `NodeRuntime`, handles SIGHUP, and exits with the exit code of the signal. */
const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  let received: ExitCode.Signal | undefined
  const interrupt = (signal: ExitCode.Signal) => {
    received ??= signal
    fiber.interruptUnsafe(fiber.id)
  }
  for (const signal of ExitCode.signals) process.on(signal, interrupt)
  fiber.addObserver((exit) => {
    for (const signal of ExitCode.signals) process.off(signal, interrupt)
    teardown(exit, (code) => {
      if (received !== undefined) process.exit(ExitCode.signalCodes[received])
      if (code !== ExitCode.codes.fine) process.exit(code)
    })
  })
})

/** Runs a command line in this process, and exits with its code. */
export const main = (args: ReadonlyArray<string>): void => {
  // Failed writes are reported as `OutputFailed`. Without a listener, the event would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  runMain(Effect.provide(run(args), layer), {
    disableErrorReporting: true,
    teardown: (exit, end) => end(Exit_.isSuccess(exit) ? Number(exit.value) : ExitCode.codes.interrupted)
  })
}
