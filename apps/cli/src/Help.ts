/** Help on stdout where it was asked for; what is wrong with a command line, and where help is, on stderr. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { Output } from "./Output.ts"

export const layer = Layer.effect(
  CliOutput.Presenter,
  Effect.gen(function* () {
    const output = yield* Output
    const formatter = CliOutput.defaultFormatter({ colors: output.hasColor, globalFlags: "summary" })
    return {
      present: (event) => {
        switch (event._tag) {
          case "Help":
            return output.print(formatter.formatHelpDoc(indented(event.helpDoc)).trimEnd())
          case "Version":
            return output.print(`${event.name} ${event.version}`)
          case "InvalidInvocation":
            return Effect.andThen(
              Effect.forEach(event.errors, (error) => output.note(`tongs: ${error.message.trim()}`)),
              output.note(`Run \`${event.commandPath.join(" ")} --help\` for how it is used.`)
            )
        }
      }
    }
  })
)

/** The formatter indents the first line of a description alone. */
const indented = (doc: HelpDoc): HelpDoc => ({ ...doc, description: doc.description.replaceAll("\n", "\n  ") })
