/** Starts `tongs grep` without the command-line parser and the other commands, because ripgrep's users expect speed. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CredentialStore } from "@tongs/connection/credentials/CredentialStore"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import * as GrepRun from "./commands/grep/GrepRun.ts"
import * as GrepSearch from "./commands/grep/GrepSearch.ts"
import * as ExitCode from "./ExitCode.ts"
import * as ProcessRunner from "./ProcessRunner.ts"

/** Does not use the layer of `Session`, which loads the command-line parser. */
const layerUser = CredentialStore.layer.pipe(
  Layer.provideMerge(UserDirectories.layer),
  Layer.provideMerge(NodeFileSystem.layer)
)

/** Runs the arguments after `grep`, and returns the exit code. Every failure exits with 2, as in `grep`. */
export const run = (args: ReadonlyArray<string>) =>
  GrepRun.run(args).pipe(
    Effect.catchCause((cause) =>
      Effect.map(ExitCode.report(cause), (code) =>
        code === ExitCode.codes.fine || code === ExitCode.codes.interrupted ? code : GrepSearch.codes.failed
      )
    ),
    Effect.scoped
  )

/** Searches, and exits with the exit code of `grep`. */
export const main = (args: ReadonlyArray<string>): void => ProcessRunner.main(Effect.provide(run(args), layerUser))
