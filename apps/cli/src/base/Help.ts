/**
 * Prints requested help to stdout. For a usage error, prints the error, and the command that prints help, to stderr.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as HelpText from "./HelpText.ts"
import { Output } from "./Output.ts"
import * as Suggestions from "./Suggestions.ts"

/** Provides the help presenter for `effect/cli`. */
export const layer = Layer.effect(
  CliOutput.Presenter,
  Effect.gen(function* () {
    const output = yield* Output
    return {
      present: (event) => {
        switch (event._tag) {
          case "Help":
            return output.print(
              HelpText.format(event.helpDoc, { columns: widthOf(output.columns), hasColor: output.hasColor })
            )
          case "Version":
            return output.print(`${event.name} ${event.version}`)
          case "InvalidInvocation":
            return Effect.andThen(
              Effect.forEach(withoutFollowing(event.errors), (error) =>
                output.note(`tongs: ${messageOf(error, event.helpDoc)}`)
              ),
              output.note(`Run \`${event.commandPath.join(" ")} --help\` for usage.`)
            )
        }
      }
    }
  })
)

/** Minimum and maximum width of help. */
const widths = { least: 40, most: 120 } as const // literal types

/** Returns the width of help in a terminal. Longer lines than `WIDTHS.most` are hard to read. */
const widthOf = (columns: number): number => Math.max(widths.least, Math.min(widths.most, columns))

/** Omits unknown commands beside an unknown flag: an unknown command is mostly the flag's value. */
const withoutFollowing = (errors: ReadonlyArray<CliError.NonShowHelpErrors>) => {
  const flags = errors.filter(({ _tag }) => _tag === "UnrecognizedOption")
  return flags.length === 0 ? errors : errors.filter(({ _tag }) => _tag !== "UnknownSubcommand")
}

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
