/** `--completions SHELL`: the script of `effect/cli`, with the global flags, which it leaves out. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CliConfig from "effect/cli/CliConfig"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Flags from "./Flags.ts"

/** Prints the script. */
const flag = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: (shell, { command }) =>
    Option.match(shell, {
      onNone: () => Effect.void,
      onSome: (shell) => Console.log(script(command, shell))
    })
})

const builtIns = GlobalFlag.BuiltIns.map((builtIn) => (builtIn === GlobalFlag.Completions ? flag : builtIn))

/** Replaces the flag of `effect/cli`. */
export const layer = CliConfig.layer({ builtIns })

/** Flags whose values are folders. */
const folders: ReadonlySet<string> = new Set([Flags.Data.id, Flags.Repos.id])
const folder: Completions.FlagType = { _tag: "Path", pathType: "directory" }

const globals = (): ReadonlyArray<Completions.FlagDescriptor> => {
  const describe = (globals: ReadonlyArray<{ readonly flag: Flag.Flag<unknown> }>) => {
    const config = Object.fromEntries(globals.map(({ flag }, index) => [String(index), flag]))
    return Completions.fromCommand(Command.make("tongs", config)).flags.map(short)
  }
  const own = describe(Flags.all).map((flag) => (folders.has(flag.name) ? { ...flag, type: folder } : flag))
  return [...own, ...describe(builtIns).map((flag) => ({ ...flag, negation: false as const }))]
}

const script = (command: Command.Command.Any, shell: Completions.Shell): string => {
  const root = Completions.fromCommand(command)
  if (shell !== "fish") return Completions.generate(root.name, shell, withFlags(root, globals())).replace(...place)
  // Fish completes flags without a condition after all subcommands. One line for each subcommand would be 2.8 MB.
  return [Completions.generate(root.name, shell, withFlags(root, [])), ...globals().flatMap(fishLines), ""].join("\n")
}

/** bash-completion loads this file on first use; the 700 KB would slow down every start of a shell. */
const place = [">> ~/.bashrc", "> ~/.local/share/bash-completion/completions/tongs"] as const // literal types

/** Adds flags to a command and its subcommands. */
const withFlags = (
  command: Completions.CommandDescriptor,
  flags: ReadonlyArray<Completions.FlagDescriptor>
): Completions.CommandDescriptor => ({
  ...short(command),
  flags: [...command.flags.map(short), ...flags],
  subcommands: command.subcommands.map((subcommand) => withFlags(subcommand, flags))
})

/** Keeps the first line of the description. */
const short = <A extends { readonly description: string | undefined }>(described: A): A => ({
  ...described,
  description: described.description?.split("\n", 1)[0]
})

const fishLines = ({ aliases, description = "", name, negation, type }: Completions.FlagDescriptor) => {
  const values = type._tag === "Choice" ? ` -x -a ${quoted(type.values.join(" "))}` : ""
  const short = aliases.filter((alias) => alias.length === 1).map((alias) => ` -s ${alias}`)
  const line = (long: string) =>
    `complete -c tongs -l ${long}${short.join("")} -d ${quoted(description)}${type._tag === "Boolean" ? "" : values || " -r"}`
  return type._tag === "Boolean" && negation !== false ? [line(name), line(`no-${name}`)] : [line(name)]
}

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`
