/** The end of a command line that a shell completes. */
import type * as Completions from "effect/cli/Completions"

export type Command = Completions.CommandDescriptor
export type Flag = Completions.FlagDescriptor

/** A flag with the given value. */
export interface GivenFlag {
  readonly flag: Flag
  readonly value: string | undefined
}

/** A command line up to the cursor. */
export interface CommandLine {
  /** The commands, parents first. */
  readonly commands: ReadonlyArray<Command>
  /** The arguments other than commands. */
  readonly words: ReadonlyArray<string>
  readonly flags: ReadonlyArray<GivenFlag>
  /** The flag whose value is at the cursor. */
  readonly open: Flag | undefined
  /** True after `--`: no flags follow. */
  readonly onlyWords: boolean
  /** The word at the cursor. */
  readonly current: string
  /** The text before the current word that belongs to the same word of the shell, for example `--limits=`. */
  readonly prefix: string
}

/** Splits a command line as a shell does. The last word is the one at the cursor, perhaps empty. */
export const split = (line: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word = ""
  let quote = ""
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? ""
    if (quote !== "") {
      if (character === quote) quote = ""
      else word += character
    } else if (character === "'" || character === '"') quote = character
    else if (character === "\\") word += line[(index += 1)] ?? ""
    else if (/\s/.test(character)) {
      if (word !== "" || /["']/.test(line[index - 1] ?? "")) words.push(word)
      word = ""
    } else word += character
  }
  return [...words, word]
}

/** The names of a flag on a command line, with dashes. */
export const spellings = ({ aliases, name, negation, type }: Flag): ReadonlyArray<string> => [
  `--${name}`,
  ...(type._tag === "Boolean" && negation !== false ? [`--${negation ?? `no-${name}`}`] : []),
  ...aliases.map((alias) => (alias.length === 1 ? `-${alias}` : `--${alias}`))
]

/** Reads the arguments of the program. `globals` are the flags of every command. */
export const parse = (root: Command, globals: ReadonlyArray<Flag>, args: ReadonlyArray<string>): CommandLine => {
  const commands = [root]
  const words: Array<string> = []
  const flags: Array<GivenFlag> = []
  let open: Flag | undefined
  let onlyWords = false
  const last = () => commands.at(-1) ?? root
  const find = (spelling: string) => [...last().flags, ...globals].find((flag) => spellings(flag).includes(spelling))
  for (const word of args.slice(0, -1)) {
    if (open !== undefined) {
      flags.push({ flag: open, value: word })
      open = undefined
    } else if (word === "--") onlyWords = true
    else if (word.startsWith("-") && !onlyWords) {
      const [spelling = "", ...value] = word.split("=")
      const flag = find(spelling)
      if (flag === undefined) continue
      if (flag.type._tag === "Boolean" || flag.optionalValue === true || value.length > 0)
        flags.push({ flag, value: value.length > 0 ? value.join("=") : undefined })
      else open = flag
    } else {
      const next = words.length > 0 ? undefined : last().subcommands.find(({ name }) => name === word)
      if (next === undefined) words.push(word)
      else commands.push(next)
    }
  }
  const current = args.at(-1) ?? ""
  const equals = open === undefined && !onlyWords && current.startsWith("--") ? current.indexOf("=") : -1
  if (equals === -1) return { commands, words, flags, open, onlyWords, current, prefix: "" }
  const prefix = current.slice(0, equals + 1)
  return {
    commands,
    words,
    flags,
    open: find(prefix.slice(0, -1)),
    onlyWords,
    current: current.slice(equals + 1),
    prefix
  }
}
