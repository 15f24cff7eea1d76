/** Maps failures to exit codes and messages. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PlatformError from "effect/PlatformError"
import type { ServeError } from "effect/http/HttpServerError"
import type * as CliError from "effect/cli/CliError"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import { messageOf } from "@tongs/connection/base/PlatformErrors"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Terminal from "@tongs/core/text/Terminal"
import type { ExplorerError } from "@tongs/explorer/server/Explorer"
import type { FixtureError } from "@tongs/service/api/FixtureSection"
import type { CopyFailed } from "@tongs/service/storage/copy/CopyStore"
import type { StorageFailed } from "@tongs/service/storage/StorageFailed"
import type { CannotJoin } from "@tongs/service/cluster/ClusterMembership"
import type { CannotListen } from "@tongs/service/main/Serve"
import type { TuiError } from "@tongs/tui/Tui"
import type { SearchIncomplete } from "./commands/RepeatedSearch.ts"
import type { SetupFailed } from "./commands/Doctor.ts"
import type { JqFailed } from "./json/Jq.ts"
import { Output, OutputFailed } from "./base/Output.ts"
import * as Signals from "./base/Signals.ts"
import type { AnsweredNo, Declined, ProgramEnded, UsageError } from "./base/UsageError.ts"

/** All failures of commands. */
export type Problem =
  | Failure.Failure
  | ConnectionError
  | UsageError
  | Declined
  | AnsweredNo
  | ProgramEnded
  | JqFailed
  | SetupFailed
  | SearchIncomplete
  | TuiError
  | CannotJoin
  | CannotListen
  | CopyFailed
  | StorageFailed
  | FixtureError
  | ServeError
  | ExplorerError
  | CliError.CliError
  | PlatformError.PlatformError

/** The documented exit codes, which scripts rely on. */
export const codes = {
  fine: 0,
  failed: 1,
  wrongUsage: 2,
  notSignedIn: 3,
  notFound: 4,
  rateLimited: 5,
  interrupted: Signals.codes.SIGINT
} as const // literal types

/** Returns the exit code for a failure. */
export const of = (problem: Problem): number => {
  switch (problem._tag) {
    case "BadCredentials":
      return codes.notSignedIn
    case "NotFound":
    case "AnsweredNo":
      return codes.notFound
    case "RateLimited":
      return codes.rateLimited
    case "ProgramEnded":
      return problem.code
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
    case "CopyFailed":
    case "StorageFailed":
    case "Forbidden":
    case "Conflict":
    case "Gone":
    case "Unsupported":
    case "ValidationFailed":
    case "ServiceFailed":
    case "Unreachable":
    case "UnexpectedResponse":
    case "UntrustedLink":
    case "Declined":
    case "JqFailed":
    case "SetupFailed":
    case "SearchIncomplete":
    case "TuiError":
    case "CannotJoin":
    case "CannotListen":
    case "ServeError":
    case "ExplorerError":
    case "UserError":
    case "PlatformError":
      return codes.failed
  }
}

/** Returns the message for a failure; empty if the command has already shown it. */
const message = (problem: Problem): string => {
  switch (problem._tag) {
    case "ShowHelp":
    case "AnsweredNo":
    case "ProgramEnded":
      return ""
    case "ServeError": {
      const { cause } = problem
      return `Cannot start the server: ${messageOf(cause)}. Choose another port, or 0 for any free port.`
    }
    case "BadCredentials":
      return `${problem.request}: ${problem.detail.replace(/\.?$/, ".")} Sign in with \`tongs auth login\`, or set TONGS_TOKEN.`
    default:
      return problem.message
  }
}

/** True if a prompt of `effect/cli` could not be written because the prompt's reader has ended. */
const isClosedPrompt = (defect: unknown): boolean => {
  if (!(defect instanceof PlatformError.PlatformError) || defect.reason.module !== "Terminal") return false
  const { cause } = defect.reason
  return cause instanceof Error && "code" in cause && cause.code === "EPIPE"
}

/** Writes the message of a failure to stderr, and returns the exit code. */
export const report = Effect.fnUntraced(function* (cause: Cause.Cause<Problem>) {
  if (Cause.hasInterruptsOnly(cause)) return codes.interrupted
  const { note } = yield* Output
  const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  if (defects.some(isClosedPrompt)) return codes.fine
  const unwritten = defects.find((defect) => defect instanceof OutputFailed)
  if (unwritten instanceof OutputFailed) {
    if (unwritten.isClosed) return codes.fine
    yield* note(`tongs: cannot write the output: ${unwritten.detail}`)
    return codes.failed
  }
  const problem = Cause.findErrorOption(cause)
  if (Option.isNone(problem)) {
    yield* note(
      `tongs: internal error. Please report it with these details:\n${Terminal.escape(Cause.pretty(cause), { newlines: true })}`
    )
    return codes.failed
  }
  const text = message(problem.value)
  if (text !== "") yield* note(`tongs: ${Terminal.escape(text, { newlines: true })}`)
  return of(problem.value)
})
