/** What is logged, for whoever reads stderr: in the program's own voice, with nothing in it that a terminal would act upon. */
import { inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Terminal from "@tongs/core/text/Terminal"

const logger = Logger.make<unknown, string>(({ cause, date, logLevel, message }) => {
  const said = (Array.isArray(message) ? message : [message])
    .map((part: unknown) => (typeof part === "string" ? part : part instanceof Error ? part.message : inspect(part)))
    .join(" ")
  const why = cause.reasons.length === 0 ? "" : `\n${Cause.pretty(cause)}`
  // Who asks for more than warnings wants to know when.
  const time = LogLevel.isGreaterThanOrEqualTo(logLevel, "Warn") ? "" : `${date.toISOString()} `
  const level = logLevel === "Warn" ? "warning" : logLevel.toLowerCase()
  return Terminal.escape(`tongs: ${time}${level}: ${said}${why}`, { newlines: true })
})

export const layer = Logger.layer([Logger.withConsoleError(logger)])
