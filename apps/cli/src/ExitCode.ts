/** From what went wrong to an exit code and words: the one place that decides both. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import type * as PlatformError from "effect/PlatformError"
import type { ServeError } from "effect/http/HttpServerError"
import type * as CliError from "effect/cli/CliError"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Terminal from "@tongs/core/text/Terminal"
import type { ExplorerError } from "@tongs/explorer/server/Explorer"
import type { FixtureError } from "@tongs/service/api/FixtureSection"
import type { CannotListen } from "@tongs/service/main/Serve"
import type { TuiError } from "@tongs/tui/Tui"
import type { SetupFailed } from "./commands/Doctor.ts"
import { Output, OutputFailed } from "./base/Output.ts"
import type { Declined, UsageError } from "./base/UsageError.ts"

/** Every way in which a command ends without its result. */
export type Problem =
  | Failure.Failure
  | ConnectionError
  | UsageError
  | Declined
  | SetupFailed
  | TuiError
  | CannotListen
  | FixtureError
  | ServeError
  | ExplorerError
  | CliError.CliError
  | PlatformError.PlatformError

/** The codes that scripts depend on. */
export const codes = {
  fine: 0,
  failed: 1,
  wrongUsage: 2,
  notSignedIn: 3,
  notFound: 4,
  rateLimited: 5,
  interrupted: 130
} as const // each code is its own type

/** 128 and the number of the signal, as shells report it. */
export const signalCodes = { SIGHUP: 129, SIGINT: codes.interrupted, SIGTERM: 143 } as const // names of signals

export type Signal = keyof typeof signalCodes

/** The signals that end a command. */
export const signals = Struct.keys(signalCodes)

export const of = (problem: Problem): number => {
  switch (problem._tag) {
    case "BadCredentials":
      return codes.notSignedIn
    case "NotFound":
      return codes.notFound
    case "RateLimited":
      return codes.rateLimited
    case "ConnectionError":
      return problem.reason === "NotSignedIn"
        ? codes.notSignedIn
        : problem.reason === "BadSettings" || problem.reason === "NoSuchFolder"
          ? codes.wrongUsage
          : codes.failed
    case "UsageError":
    case "FixtureError":
    case "UnrecognizedOption":
    case "DuplicateOption":
    case "MissingOption":
    case "MissingArgument":
    case "UnexpectedArgument":
    case "InvalidValue":
    case "UnknownSubcommand":
    case "ValidationError":
      return codes.wrongUsage
    case "ShowHelp":
      return problem.errors.length > 0 ? codes.wrongUsage : codes.fine
    case "Forbidden":
    case "Conflict":
    case "Gone":
    case "ValidationFailed":
    case "ServiceFailed":
    case "Unreachable":
    case "UnexpectedResponse":
    case "UntrustedLink":
    case "Declined":
    case "SetupFailed":
    case "TuiError":
    case "CannotListen":
    case "ServeError":
    case "ExplorerError":
    case "UserError":
    case "PlatformError":
      return codes.failed
  }
}

/** What to tell; nothing where it has been told. */
const message = (problem: Problem): string => Terminal.escape(words(problem), { newlines: true })

const words = (problem: Problem): string => {
  switch (problem._tag) {
    case "ShowHelp":
      return ""
    case "ServeError": {
      const { cause } = problem
      return `Nobody can be served: ${cause instanceof Error ? cause.message : String(cause)}. Choose another port, or 0 for any that is free.`
    }
    default:
      return problem.message
  }
}

/** Tells what went wrong, if anything needs telling, and gives the exit code. */
export const report = Effect.fnUntraced(function* (cause: Cause.Cause<Problem>) {
  if (Cause.hasInterruptsOnly(cause)) return codes.interrupted
  const { note } = yield* Output
  const unwritten = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => defect instanceof OutputFailed)?.defect
  if (unwritten instanceof OutputFailed) {
    if (unwritten.isClosed) return codes.fine
    yield* note(`tongs: the output cannot be written: ${unwritten.detail}`)
    return codes.failed
  }
  const problem = Cause.findErrorOption(cause)
  if (Option.isNone(problem)) {
    yield* note(
      `tongs: this should not have happened; please report it.\n${Terminal.escape(Cause.pretty(cause), { newlines: true })}`
    )
    return codes.failed
  }
  const text = message(problem.value)
  if (text !== "") yield* note(`tongs: ${text}`)
  return of(problem.value)
})
