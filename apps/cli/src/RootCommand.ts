import * as Command from "effect/cli/Command"
import { api } from "./commands/api/Api.ts"
import { auth } from "./commands/Auth.ts"
import { data } from "./commands/Data.ts"
import { doctor } from "./commands/Doctor.ts"
import { explore } from "./commands/Explore.ts"
import { grep } from "./commands/grep/Grep.ts"
import { limits } from "./commands/Limits.ts"
import { mcp } from "./commands/Mcp.ts"
import { openapi } from "./commands/OpenApi.ts"
import { run } from "./commands/Run.ts"
import { serve } from "./commands/Serve.ts"
import { search } from "./commands/Search.ts"
import { tongs } from "./commands/Tongs.ts"
import * as Flags from "./session/Flags.ts"
import { operations } from "./operations/Operations.ts"
import * as Telemetry from "./telemetry/Telemetry.ts"

/** Creates the command `tongs` with its subcommands and global flags, for a command line of these words. */
export const make = (words: ReadonlyArray<string>) =>
  tongs.pipe(
    Command.withSubcommands([
      api,
      search,
      grep,
      limits,
      serve,
      run,
      explore,
      mcp,
      openapi,
      auth,
      data,
      doctor,
      { group: "API operations", commands: operations(words) }
    ]),
    Command.provide(Telemetry.layer),
    Command.withGlobalFlags(Flags.all)
  )
