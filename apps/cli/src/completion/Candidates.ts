/**
 * The possible words at the cursor of a command line: words that the program knows, and values that only the forge
 * knows.
 */
import type * as CommandLine from "./CommandLine.ts"

/** A word that completes the one at the cursor. */
export interface Candidate {
  readonly value: string
  readonly description?: string | undefined
}

/** Values that the forge knows. */
export type Wanted = "repositories" | "references" | "files"

/** A shell's actions besides offering the candidates, as numbers that can be added (as in cobra). */
export const directives = { files: 0, noSpace: 2, noFiles: 4, folders: 16 } as const // literal numbers

export interface Candidates {
  readonly known: ReadonlyArray<Candidate>
  readonly wanted: ReadonlyArray<Wanted>
  readonly directive: number
}

/** The values of arguments and flags by name. */
const sources: Readonly<Record<string, Wanted>> = {
  "owner/repo": "repositories",
  "owner/name": "repositories",
  repo: "repositories",
  repository: "repositories",
  ref: "references",
  branch: "references",
  sha: "references",
  base: "references",
  head: "references",
  basehead: "references",
  "commit-sha": "references",
  "tree-sha": "references",
  path: "files"
}

const sourceOf = (name: string): ReadonlyArray<Wanted> => {
  const source = sources[name.toLowerCase()]
  return source === undefined ? [] : [source]
}

const none: Candidates = { known: [], wanted: [], directive: directives.noFiles }

/** Returns the possible words at the cursor. */
export const of = (line: CommandLine.CommandLine, flags: ReadonlyArray<CommandLine.Flag>): Candidates => {
  if (line.open !== undefined) return ofFlag(line.open)
  const command = line.commands.at(-1)
  if (command === undefined) return none
  if (line.current.startsWith("-") && !line.onlyWords) return { ...none, known: flags.flatMap(namesOf) }
  if (command.subcommands.length > 0 && line.words.length === 0)
    return { ...none, known: command.subcommands.map(({ description, name }) => ({ value: name, description })) }
  return ofArgument(command, line.words)
}

const namesOf = (flag: CommandLine.Flag): ReadonlyArray<Candidate> => {
  const { name } = flag
  const long = [
    `--${name}`,
    ...(flag.type._tag === "Boolean" && flag.negation !== false ? [`--${flag.negation ?? `no-${name}`}`] : [])
  ]
  return long.map((value) => ({ value, description: flag.description }))
}

const ofFlag = ({ name, type }: CommandLine.Flag): Candidates => {
  if (type._tag === "Choice") return { ...none, known: type.values.map((value) => ({ value })) }
  if (type._tag === "Path")
    return { ...none, directive: type.pathType === "directory" ? directives.folders : directives.files }
  const wanted = sourceOf(name)
  return { ...none, wanted, directive: fileFlags.has(name) ? directives.files : directives.noFiles }
}

/** Flags whose values are files of this machine. */
const fileFlags: ReadonlySet<string> = new Set(["input", "output", "message-file", "token-file", "fixtures"])

/** Returns whether a word can be a repository. */
const isRepository = (word: string | undefined) => word !== undefined && /^[^/\s]+\/[^/\s]+$/.test(word)

/**
 * The values of the next argument. The repository is optional and comes first, so the next argument may be the
 * repository or the argument after it.
 */
const ofArgument = (command: CommandLine.Command, words: ReadonlyArray<string>): Candidates => {
  const takesRepository = command.arguments[0]?.name.toUpperCase() === "OWNER/REPO"
  if (!takesRepository || isRepository(words[0])) {
    const argument = command.arguments[words.length]
    if (argument === undefined) return none
    if (argument.type._tag === "Choice") return { ...none, known: argument.type.values.map((value) => ({ value })) }
    if (argument.type._tag === "Path") return { ...none, directive: directives.files }
    return { ...none, wanted: sourceOf(argument.name) }
  }
  const next = command.arguments[words.length + 1]
  return {
    ...none,
    wanted: [
      ...(words.length === 0 ? (["repositories"] as const) : []),
      ...(next === undefined ? [] : sourceOf(next.name))
    ] // a literal
  }
}
