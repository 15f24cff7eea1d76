/** Suggests the counterparts of a command of gh, instead of the nearest name. */
import * as GrepFlags from "../grep/GrepFlags.ts"
import { rows } from "./GhTable.ts"

/** A row of the table: the commands of gh as words, and the text of the row. */
interface Row {
  readonly commands: ReadonlyArray<ReadonlyArray<string>>
  readonly gh: string
  readonly tongs: string
}

/**
 * Returns the message for a command line of gh, undefined for any other command line. `names` are the commands of
 * `tongs`.
 *
 * **Details**
 *
 * Names the rows of the whole command (`repo list`), or else the rows of the command's first word (`repo`).
 */
export const messageOf = (args: ReadonlyArray<string>, names: ReadonlySet<string>): string | undefined => {
  const [first, second] = wordsOf(args)
  if (first === undefined) return undefined
  const ofFirst = table.filter(({ commands }) => commands.some(([word]) => word === first))
  const exact = ofFirst.filter(({ commands }) => commands.some((words) => words[0] === first && words[1] === second))
  // `gh run list` lists the runs of workflows, `tongs run` runs programs.
  if (ofFirst.length === 0 || (names.has(first) && !(first === "run" && exact.length > 0))) return undefined
  const found = exact.length > 0 ? exact : ofFirst
  return [
    first === "run"
      ? `"tongs run -- COMMAND" runs a program. What gh has under this name:`
      : `Unknown command "${first}". What gh has under this name:`,
    ...found.map(({ gh, tongs }) => `\n  ${gh}\n    ${tongs}`)
  ].join("\n")
}

/** Returns the words before the first flag of the command, without global flags. */
const wordsOf = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ""
    if (index === 0 && arg === "help") continue
    if (!arg.startsWith("-")) return args.slice(index)
    if (GrepFlags.globals[arg.slice(2)] === true) index++
  }
  return []
}

/** Returns the text of Markdown without code marks and links. */
const plain = (cell: string): string => cell.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")

/** Returns the commands that a cell names: each further code span replaces the last word of the first command. */
const commandsOf = (cell: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [first = "", ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
  const words = first.split(" ").slice(1)
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
  const command = end === -1 ? words : words.slice(0, end)
  return [command, ...others.map((word) => [...command.slice(0, -1), word])]
}

const table: ReadonlyArray<Row> = rows.map(([gh, tongs]) => ({
  commands: commandsOf(gh),
  gh: plain(gh),
  tongs: plain(tongs)
}))
