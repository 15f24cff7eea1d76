/** Hints for an agent on how to continue after a failed call. */
import type * as Failure from "@tongs/core/contract/Failure"
import type { Tool } from "./Tool.ts"
import type { ToolError } from "./ToolError.ts"

/** The tool call that failed. */
export interface Context {
  readonly tool: Pick<Tool, "inputSchema" | "hints">
  /** Names of the tools that the server offers. */
  readonly names: ReadonlyArray<string>
  /** Current time in epoch milliseconds. */
  readonly now: number
}

const UNKNOWN_RESULT = "The change may have been made. Read the current state before you try again."

/** Tools that list names, of which a server offers some. */
const listTools = ["list_repositories", "list_refs", "list_files", "repositories_mine", "branches_list"]

/** Returns the next step after a failure; empty if the failure's message already contains this step. */
export const hintFor = (error: Failure.Failure | ToolError, { names, now, tool }: Context): string => {
  switch (error._tag) {
    case "NotFound": {
      const lists = listTools.filter((name) => names.includes(name))
      const { properties } = tool.inputSchema
      return ("repo" in properties || "operation" in properties) && lists.length > 0
        ? `To find existing names, call ${lists.join(" or ")}.`
        : ""
    }
    case "RateLimited":
      return rateLimitHint(error, now)
    case "Conflict":
      return tool.hints.readOnlyHint ? "" : "Read the current state, then decide whether to try again."
    case "Unreachable":
    case "ServiceFailed":
      if (!tool.hints.readOnlyHint) return UNKNOWN_RESULT
      return error._tag === "Unreachable" ? "" : "Try again."
    case "BadCredentials":
      return "Only the user who runs this server can fix this, with `tongs auth login` or TONGS_TOKEN. Report it to them."
    case "Forbidden":
      return "Only the user who runs this server can fix this. Report it to them."
    case "Unsupported":
      return "This forge does not have this tool's operation. Use other tools."
    case "UnexpectedResponse":
      return tool.hints.readOnlyHint ? "" : UNKNOWN_RESULT
    case "ToolError":
    case "Gone":
    case "ValidationFailed":
    case "UntrustedLink":
      return ""
  }
}

/**
 * Formats the hint for a rate limit. A primary limit counts requests of one resource, a secondary limit all requests.
 */
const rateLimitHint = ({ limit, resource, until }: Failure.RateLimited, now: number): string => {
  const wait = until > now ? `in ${duration(until - now)}` : "in a minute"
  return [
    `Nothing was done. Make the same call again ${wait}; earlier calls fail too.`,
    limit === "primary"
      ? `Until then, every call that counts toward the ${resource} limit fails.`
      : "Until then, any other call with this credential can fail too.",
    "To use less of the limit, request larger pages and do not repeat calls.",
    "If you cannot wait that long, tell the user when you can continue."
  ].join(" ")
}

/** Formats a duration, rounded up so that a call after this time is not too early. */
const duration = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1_000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
