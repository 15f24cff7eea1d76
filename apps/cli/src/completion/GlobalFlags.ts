/** The flags of every command, as data. The descriptions of a command by `effect/cli` leave the flags out. */
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Flags from "../session/Flags.ts"

/** Flags whose values are folders. */
const folders: ReadonlySet<string> = new Set([Flags.Data.id, Flags.Repos.id])
const folder: Completions.FlagType = { _tag: "Path", pathType: "directory" }

const describe = (globals: ReadonlyArray<{ readonly flag: Flag.Flag<unknown> }>) => {
  const config = Object.fromEntries(globals.map(({ flag }, index) => [String(index), flag]))
  return Completions.fromCommand(Command.make("tongs", config)).flags
}

export const all = (): ReadonlyArray<Completions.FlagDescriptor> => [
  ...describe(Flags.all).map((flag) => (folders.has(flag.name) ? { ...flag, type: folder } : flag)),
  ...describe(GlobalFlag.BuiltIns).map((flag) => ({ ...flag, negation: false as const })) // not any text
]
