/** Runs command lines, with the services that commands need. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import * as ExitCode from "./ExitCode.ts"
import * as Help from "./base/Help.ts"
import { Output } from "./base/Output.ts"
import * as HelpArguments from "./base/HelpArguments.ts"
import * as ApiCommandLine from "./commands/api/ApiCommandLine.ts"
import * as GhCommand from "./commands/gh/GhCommand.ts"
import * as GrepCommandLine from "./commands/grep/GrepCommandLine.ts"
import * as GrepStart from "./GrepStart.ts"
import * as ProcessRunner from "./ProcessRunner.ts"
import * as Complete from "./completion/Complete.ts"
import * as CompletionsFlag from "./completion/CompletionsFlag.ts"
import * as RootCommand from "./RootCommand.ts"
import * as Session from "./session/Session.ts"
import { VERSION } from "./base/Version.ts"

/** Runs a command line and returns the exit code. */
export const run = Effect.fnUntraced(
  function* (args: ReadonlyArray<string>) {
    if (args[0] === Complete.NAME) return yield* Effect.as(Complete.run(args[1] ?? ""), ExitCode.codes.fine)
    const grep = GrepCommandLine.locate(args)
    if (grep !== undefined && !GrepCommandLine.wantsHelp(grep)) return yield* GrepStart.run(grep)
    const root = RootCommand.make(args)
    const commandNames = new Set(root.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name)))
    const ofGh = GhCommand.messageOf(args, commandNames)
    if (ofGh !== undefined) {
      yield* (yield* Output).note(`tongs: ${ofGh}`)
      return ExitCode.codes.wrongUsage
    }
    return yield* Command.runWith(root, { version: VERSION })(
      HelpArguments.normalize(ApiCommandLine.normalize(args), root)
    ).pipe(Effect.as<number>(ExitCode.codes.fine), Effect.catchCause(ExitCode.report), Effect.scoped)
  },
  Effect.provide(Layer.merge(Help.layer, CompletionsFlag.layer))
)

/** Runs a command line in this process, and exits with the resulting code. */
export const main = (args: ReadonlyArray<string>): void =>
  ProcessRunner.main(Effect.provide(run(args), Layer.provideMerge(Session.layerUser, NodeServices.layer)))
