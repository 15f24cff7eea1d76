/** `tongs grep` in the help and in shell completions. `GrepRun` parses and runs the command. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Flags from "../../session/Flags.ts"
import * as GrepFlags from "./GrepFlags.ts"

const flag = ({ description, name, short, value }: GrepFlags.GrepFlag) => {
  if (value === undefined) {
    const toggle = Flags.toggle(name, description)
    return short === undefined ? toggle : Flag.withAlias(toggle, short)
  }
  const text = Flag.String(name).pipe(Flag.withMetavar(value), Flag.atLeast(0), Flag.withDescription(description))
  return short === undefined ? text : Flag.withAlias(text, short)
}

const config = {
  words: Argument.String("PATTERN [PATH]").pipe(
    Argument.atLeast(0),
    Argument.withDescription("A regular expression in ripgrep's syntax, then files and folders to search")
  ),
  ...Object.fromEntries(
    GrepFlags.flags.flatMap((one: GrepFlags.GrepFlag) =>
      Flags.reserved.has(one.name) || one.name === "no-color" ? [] : [[one.name, flag(one)]]
    )
  )
}

export const grep = Command.make("grep", config).pipe(
  Command.withDescription(
    "Search code with ripgrep's flags and output\nExit code: 0 if a line matches, 1 if none does, 2 after an error or if results can be missing.\nAlso: --json prints ripgrep's JSON Lines, --color WHEN is auto, always or never."
  ),
  Command.withExamples([
    { command: "tongs grep 'fn \\w+_lock' src" },
    { command: "tongs grep -l TODO -g '*.ts' --repos ~/code", description: "In all repositories of a folder" },
    { command: "tongs grep -n -C2 deadline --rev v1.0", description: "In a tag" }
  ])
)
