/** `--completions SHELL`: a script that asks `tongs __complete` at the Tab key, instead of the script of `effect/cli`. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CliConfig from "effect/cli/CliConfig"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Scripts from "./Scripts.ts"

/** Prints the script. */
const flag = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: (shell) =>
    Option.match(shell, { onNone: () => Effect.void, onSome: (shell) => Console.log(Scripts.of(shell).trimEnd()) })
})

const builtIns = GlobalFlag.BuiltIns.map((builtIn) => (builtIn === GlobalFlag.Completions ? flag : builtIn))

/** Replaces the flag of `effect/cli`. */
export const layer = CliConfig.layer({ builtIns })
