import { inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Terminal from "@tongs/core/text/Terminal"

const logger = Logger.make<unknown, string>(({ cause, date, logLevel, message }) => {
  const text = (Array.isArray(message) ? message : [message])
    .map((part: unknown) => (typeof part === "string" ? part : part instanceof Error ? part.message : inspect(part)))
    .join(" ")
  const details = cause.reasons.length === 0 ? "" : `\n${Cause.pretty(cause)}`
  // Warnings are for users. Messages of lower levels are for debugging, which needs the time.
  const time = LogLevel.isGreaterThanOrEqualTo(logLevel, "Warn") ? "" : `${date.toISOString()} `
  const level = logLevel === "Warn" ? "warning" : logLevel.toLowerCase()
  return Terminal.escape(`tongs: ${time}${level}: ${text}${details}`, { newlines: true })
})

/** Provides a logger to stderr that prints one line per message, with control characters escaped. */
export const layer = Logger.layer([Logger.withConsoleError(logger)])
