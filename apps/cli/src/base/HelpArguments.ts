/** Rewrites command lines that ask for help. */
import type * as Command from "effect/cli/Command"

/**
 * Replaces `help COMMAND`, as in git and gh, by `COMMAND --help`. Removes `--help` after an unknown command: the parser would
 * print the help of the program, and not report the command.
 */
export const normalize = (args: ReadonlyArray<string>, root: Command.Command.Any): ReadonlyArray<string> => {
  const words = args[0] === "help" ? [...args.slice(1), "--help"] : args
  return hasUnknown(words, root) ? words.filter((word) => word !== "--help" && word !== "-h") : words
}

const hasUnknown = (words: ReadonlyArray<string>, root: Command.Command.Any): boolean => {
  let command = root
  for (const word of words) {
    const known = command.subcommands.flatMap(({ commands }) => commands)
    // A flag can have a value, which only the parser knows.
    if (known.length === 0 || word.startsWith("-")) return false
    const next = known.find(({ alias, name }) => name === word || alias === word)
    if (next === undefined) return true
    command = next
  }
  return false
}
