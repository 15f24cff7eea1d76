/** Prints requested help to stdout. For a usage error, prints the error and how to get help to stderr. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { Output } from "./Output.ts"
import * as Suggestions from "./Suggestions.ts"

/** Provides the help presenter for `effect/cli`, which wraps lines at the width of the terminal. */
export const layer = Layer.effect(
  CliOutput.Presenter,
  Effect.gen(function* () {
    const output = yield* Output
    const formatter = CliOutput.defaultFormatter({ colors: output.hasColor, globalFlags: "summary" })
    return {
      present: (event) => {
        switch (event._tag) {
          case "Help":
            return output.print(
              fold(formatter.formatHelpDoc(indented(event.helpDoc)).trimEnd(), widthOf(output.columns))
            )
          case "Version":
            return output.print(`${event.name} ${event.version}`)
          case "InvalidInvocation":
            return Effect.andThen(
              Effect.forEach(event.errors, (error) => output.note(`tongs: ${messageOf(error, event.helpDoc)}`)),
              output.note(`Run \`${event.commandPath.join(" ")} --help\` for usage.`)
            )
        }
      }
    }
  })
)

/** Minimum and maximum width of help. */
const WIDTHS = { least: 40, most: 120 } as const // literal types

/** Returns the width of help in a terminal. Longer lines than `WIDTHS.most` are hard to read. */
const widthOf = (columns: number): number => Math.max(WIDTHS.least, Math.min(WIDTHS.most, columns))

/** Returns the message of an error, with the nearest subcommands or flags. */
const messageOf = (error: CliError.NonShowHelpErrors, doc: HelpDoc): string => {
  switch (error._tag) {
    case "UnknownSubcommand": {
      const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
      return withSuggestions(
        `Unknown command ${JSON.stringify(error.subcommand)}`,
        Suggestions.of(error.subcommand, names)
      )
    }
    case "UnrecognizedOption": {
      const names = [doc.flags, doc.inheritedFlags ?? [], doc.globalFlags ?? []].flat().map(({ name }) => name)
      const name = error.option.replace(/^-+/, "")
      const flags = error.option.startsWith("--") ? Suggestions.of(name, names) : []
      return withSuggestions(
        `Unknown flag ${error.option}`,
        flags.map((flag) => `--${flag}`)
      )
    }
    default:
      return error.message.trim()
  }
}

const withSuggestions = (text: string, names: ReadonlyArray<string>): string =>
  names.length === 0 ? `${text}.` : `${text}.\n\n  Did you mean this?\n    ${names.join("\n    ")}`

/** Indents all lines of a description. The formatter indents only the first line. */
const indented = (doc: HelpDoc): HelpDoc => ({ ...doc, description: doc.description.replaceAll("\n", "\n  ") })

/** Maximum width of a table's left column. A wider cell gets its own line. */
const MAX_LEFT = 24

const width = CliOutput.displayWidth

/** Wraps lines at `columns`, because the formatter does not. Keeps example commands in one line. */
const fold = (text: string, columns: number): string =>
  text
    .split(/\n\n/)
    .map((block) => {
      const lines = block.split("\n")
      if (lines.every((line) => width(line) <= columns)) return block
      const rows = lines.map(row)
      const left = Math.min(MAX_LEFT, Math.max(0, ...rows.map((row) => (row === undefined ? 0 : width(row.left)))))
      return lines
        .flatMap((line, index) => {
          const found = rows[index]
          return found === undefined ? plain(line, columns) : table(found, left, columns)
        })
        .join("\n")
    })
    .join("\n\n")

interface Row {
  readonly left: string
  readonly right: string
}

/** Parses a table row: two spaces, the left column, a gap, the right column. */
const row = (line: string): Row | undefined => {
  const [, left, right] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? []
  return left === undefined || right === undefined ? undefined : { left, right }
}

const table = ({ left, right }: Row, leftWidth: number, columns: number): ReadonlyArray<string> => {
  const indent = " ".repeat(leftWidth + 4)
  const lines = words(right, columns - leftWidth - 4)
  return width(left) > leftWidth
    ? [...hanging(`  ${left}`, 6, columns), ...lines.map((line) => `${indent}${line}`)]
    : lines.map(
        (line, index) => `${index === 0 ? `  ${left}${" ".repeat(leftWidth - width(left) + 2)}` : indent}${line}`
      )
}

const plain = (line: string, columns: number): ReadonlyArray<string> =>
  width(line) <= columns || /^\s*\$ /.test(line) ? [line] : hanging(line, 2, columns)

/** Wraps a line with a hanging indent. */
const hanging = (line: string, indent: number, columns: number): ReadonlyArray<string> => {
  const [, start = "", text = ""] = /^( *)(.*)$/.exec(line) ?? []
  return words(text, columns - Math.max(start.length, indent)).map(
    (part, index) => `${index === 0 ? start : " ".repeat(indent)}${part}`
  )
}

/** Wraps a text at `columns` columns. A wider word gets its own line. */
const words = (text: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && width(last) + 1 + width(word) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
