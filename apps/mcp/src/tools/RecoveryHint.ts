/** What an agent can do after a failure. */
import type * as Failure from "@tongs/core/contract/Failure"
import type { Tool, ToolError } from "./Tool.ts"

export interface Context {
  readonly tool: Pick<Tool, "properties"> & { readonly operation: Pick<Tool["operation"], "effect"> }
  /** The tools that the server offers. */
  readonly names: ReadonlyArray<string>
  /** In epoch milliseconds. */
  readonly now: number
}

export const hintFor = (error: Failure.Failure | ToolError, { names, now, tool }: Context): string => {
  switch (error._tag) {
    case "NotFound": {
      const lists = ["repositories_mine", "branches_list", "file_contents"].filter((name) => names.includes(name))
      return "repo" in tool.properties && lists.length > 0 ? `What there is: ${lists.join(", ")}.` : ""
    }
    case "RateLimited":
      return rateLimited(error, now)
    case "Conflict":
      return "Read the present state, then decide again."
    case "Unreachable":
    case "ServiceFailed":
      if (tool.operation.effect !== "read") return "Read whether it was done before you try again."
      return error._tag === "Unreachable" ? "" : "Try again."
    case "BadCredentials":
    case "Forbidden":
      return "Only the person who runs this server can change that: tell them."
    case "ToolError":
    case "Gone":
    case "ValidationFailed":
    case "UnexpectedResponse":
    case "UntrustedLink":
      return ""
  }
}

/** A secondary limit counts every request, a primary one those of its resource. */
const rateLimited = ({ limit, resource, until }: Failure.RateLimited, now: number): string => {
  const wait = until > now ? `in ${duration(until - now)}` : "in a minute"
  return [
    `Nothing was done. Make the same call again ${wait}, and not before: sooner it fails too.`,
    limit === "primary"
      ? `Until then every call that counts for ${resource} fails.`
      : "Until then every other call of this credential can fail as well.",
    "Fewer calls use less of the limit: ask for larger pages, and for nothing twice.",
    "If you cannot wait that long, tell the person when it goes on."
  ].join(" ")
}

/** Rounded up, so that a call after it is not too early. */
const duration = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1_000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
