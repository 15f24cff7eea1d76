/** Failures of resources in the form of the protocol. */
import * as McpSchema from "effect/ai/McpSchema"
import type * as Failure from "@tongs/core/contract/Failure"
import type { ToolError } from "../call/ToolError.ts"
import * as Truncation from "../text/Truncation.ts"

/** Converts the failure of a tool to one of the protocol, with a message for the agent. */
export const make = (
  error: Failure.Failure | ToolError,
  uri: string,
  message: string
): McpSchema.InvalidParams | McpSchema.InternalError => {
  switch (error._tag) {
    case "NotFound":
    case "Gone":
      return notFound(uri)
    case "ToolError":
    case "ValidationFailed":
    case "Unsupported":
      return new McpSchema.InvalidParams({ message })
    default:
      return new McpSchema.InternalError({ message })
  }
}

/** Maximum number of characters of a URI in a failure. */
const MAX_LENGTH = 500

/**
 * Creates the failure for an unknown resource. `McpServer` exports no class for this failure, but recognizes the tag,
 * and adds the code of the protocol version.
 */
export const notFound = (given: string): McpSchema.InvalidParams => {
  const uri = Truncation.shorten(given, MAX_LENGTH)
  const error = new McpSchema.InvalidParams({ message: `Resource '${uri}' not found` })
  return Object.defineProperties(error, { _tag: { value: "ResourceNotFound" }, uri: { value: uri } })
}
