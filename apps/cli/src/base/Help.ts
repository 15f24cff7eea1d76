/** Prints requested help to stdout. For a usage error, prints the error and how to get help to stderr. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { Output, PLAIN_COLUMNS } from "./Output.ts"

/** Provides the help presenter for `effect/cli`, which wraps lines at 80 columns. */
export const layer = Layer.effect(
  CliOutput.Presenter,
  Effect.gen(function* () {
    const output = yield* Output
    const formatter = CliOutput.defaultFormatter({ colors: output.hasColor, globalFlags: "summary" })
    return {
      present: (event) => {
        switch (event._tag) {
          case "Help":
            return output.print(fold(formatter.formatHelpDoc(indented(event.helpDoc)).trimEnd()))
          case "Version":
            return output.print(`${event.name} ${event.version}`)
          case "InvalidInvocation":
            return Effect.andThen(
              Effect.forEach(event.errors, (error) => output.note(`tongs: ${error.message.trim()}`)),
              output.note(`Run \`${event.commandPath.join(" ")} --help\` for usage.`)
            )
        }
      }
    }
  })
)

/** Indents all lines of a description. The formatter indents only the first line. */
const indented = (doc: HelpDoc): HelpDoc => ({ ...doc, description: doc.description.replaceAll("\n", "\n  ") })

/** Maximum width of a table's left column. A wider cell gets its own line. */
const MAX_LEFT = 24

const width = CliOutput.displayWidth

/** Wraps lines at 80 columns, because the formatter does not. Keeps example commands in one line. */
const fold = (text: string): string =>
  text
    .split(/\n\n/)
    .map((block) => {
      const lines = block.split("\n")
      if (lines.every((line) => width(line) <= PLAIN_COLUMNS)) return block
      const rows = lines.map(row)
      const left = Math.min(MAX_LEFT, Math.max(0, ...rows.map((row) => (row === undefined ? 0 : width(row.left)))))
      return lines
        .flatMap((line, index) => {
          const found = rows[index]
          return found === undefined ? plain(line) : table(found, left)
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

const table = ({ left, right }: Row, columns: number): ReadonlyArray<string> => {
  const indent = " ".repeat(columns + 4)
  const lines = words(right, PLAIN_COLUMNS - columns - 4)
  return width(left) > columns
    ? [...hanging(`  ${left}`, 6), ...lines.map((line) => `${indent}${line}`)]
    : lines.map((line, index) => `${index === 0 ? `  ${left}${" ".repeat(columns - width(left) + 2)}` : indent}${line}`)
}

const plain = (line: string): ReadonlyArray<string> =>
  width(line) <= PLAIN_COLUMNS || /^\s*\$ /.test(line) ? [line] : hanging(line, 2)

/** Wraps a line with a hanging indent. */
const hanging = (line: string, indent: number): ReadonlyArray<string> => {
  const [, start = "", text = ""] = /^( *)(.*)$/.exec(line) ?? []
  return words(text, PLAIN_COLUMNS - Math.max(start.length, indent)).map(
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
