/** The help of a command as text, wrapped at the width of the terminal. */
import * as Option from "effect/Option"
import * as CliOutput from "effect/cli/CliOutput"
import type { FlagDoc, HelpDoc, SubcommandDoc } from "effect/cli/HelpDoc"

export interface Options {
  /** Width of the text. Only single words and examples, which a user copies, are wider. */
  readonly columns: number
  readonly hasColor: boolean
}

/** Maximum width of the left column of a table. A wider cell gets a separate line. */
const MAX_LEFT = 28

const INDENT = "  "

/** Formats the help of a command. Global flags are listed only for the root command. */
export const format = (doc: HelpDoc, options: Options): string => {
  const paint = (code: number, text: string) => (options.hasColor ? `\u001b[${code}m${text}\u001b[0m` : text)
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : [[paint(1, title), ...lines].join("\n")]
  const table = (rows: ReadonlyArray<Row>) => tableOf(rows, options.columns, (text) => paint(32, text))
  const path = doc.commandPath ?? []
  const root = doc.globalFlagsScope ?? path.slice(0, 1)
  const isRoot = path.length <= root.length
  const globalFlags = doc.globalFlags ?? []
  return [
    ...section(
      "DESCRIPTION",
      doc.description.split("\n").flatMap((line) => wrap(line, options.columns))
    ),
    ...section(
      "USAGE",
      words(doc.usage, options.columns - 2 * INDENT.length).map(
        (line, index) => `${index > 0 ? INDENT : ""}${INDENT}${paint(36, line)}`
      )
    ),
    ...section("ARGUMENTS", table((doc.args ?? []).map(ofArgument))),
    ...section("FLAGS", table(doc.flags.map(ofFlag))),
    ...section("GLOBAL FLAGS", table(isRoot ? globalFlags.map(ofFlag) : [])),
    ...(isRoot || globalFlags.length === 0 ? [] : [`Run '${root.join(" ")} --help' for global flags`]),
    ...(doc.subcommands ?? []).flatMap(({ commands, group }) =>
      section(group === undefined ? "SUBCOMMANDS" : group.toUpperCase(), table(commands.map(ofSubcommand)))
    ),
    ...section(
      "EXAMPLES",
      (doc.examples ?? []).flatMap(({ command, description }, index, { [index - 1]: before }) => [
        ...(index > 0 && (description ?? before?.description) !== undefined ? [""] : []),
        ...words(description ?? "", options.columns - INDENT.length - 2)
          .filter((line) => line !== "")
          .map((line) => `${INDENT}${paint(2, `# ${line}`)}`),
        `${INDENT}${paint(36, command)}`
      ])
    )
  ].join("\n\n")
}

interface Row {
  readonly left: string
  readonly right: string
}

const ofArgument = ({ description, name, required, variadic }: NonNullable<HelpDoc["args"]>[number]): Row => ({
  left: `${name}${variadic ? "..." : ""}`,
  right: `${Option.getOrElse(description, () => "")}${required ? "" : " (optional)"}`
})

const ofFlag = ({ aliases, description, name, type }: FlagDoc): Row => {
  // The description lists choices, too.
  const value = type === "boolean" ? "" : type.startsWith("<") ? " VALUE" : ` ${type}`
  return { left: `${[`--${name}`, ...aliases].join(", ")}${value}`, right: Option.getOrElse(description, () => "") }
}

const ofSubcommand = ({ alias, description, name, shortDescription }: SubcommandDoc): Row => ({
  left: [name, ...(alias === undefined ? [] : [alias])].join(", "),
  right: shortDescription ?? description.split("\n", 1)[0] ?? ""
})

const width = CliOutput.displayWidth

const tableOf = (rows: ReadonlyArray<Row>, columns: number, paint: (left: string) => string): ReadonlyArray<string> => {
  const most = Math.min(MAX_LEFT, Math.floor(columns * 0.4))
  const leftWidth = Math.max(0, ...rows.map(({ left }) => width(left)).filter((left) => left <= most))
  const indent = " ".repeat(leftWidth + 2 * INDENT.length)
  return rows.flatMap(({ left, right }) => {
    const [first = "", ...rest] = words(right, columns - indent.length)
    const others = rest.map((line) => `${indent}${line}`)
    return width(left) > leftWidth
      ? [`${INDENT}${paint(left)}`, `${indent}${first}`, ...others]
      : [`${INDENT}${paint(left)}${" ".repeat(leftWidth - width(left))}${INDENT}${first}`.trimEnd(), ...others]
  })
}

const wrap = (line: string, columns: number): ReadonlyArray<string> =>
  words(line, columns - INDENT.length).map((part) => `${INDENT}${part}`)

/** Wraps a text at `columns` columns. A wider word gets a separate line. */
const words = (text: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && width(last) + 1 + width(word) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
