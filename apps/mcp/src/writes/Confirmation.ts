/** Asks the user to confirm tool calls that cannot be undone, with an elicitation request to the MCP client. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as McpSchema from "effect/ai/McpSchema"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import { ToolError } from "../call/ToolError.ts"
import { sanitizeText } from "../text/SafeText.ts"
import * as Truncation from "../text/Truncation.ts"

/** Maximum time to wait for the user's answer. */
const TIMEOUT = Duration.minutes(5)

/** Maximum tokens per string and items per list in the question, so that no argument crowds out the others. */
const SHOWN = { tokens: 40, items: 10 } as const // literal types

/**
 * Fails with `ToolError` if the user does not confirm the call, or if the client has no session or does not support
 * `elicitation` forms. Pass an `input` that includes the default repository, so that the question names it.
 */
export const confirm = Effect.fnUntraced(function* (tool: CatalogEntry, input: Readonly<Record<string, unknown>>) {
  const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
  if (Option.isNone(client) || !supportsForms(client.value.clientCapabilities)) {
    return yield* rejected(tool, "this client cannot ask the user to confirm it")
  }
  const answer = yield* client.value.getClient.pipe(
    Effect.flatMap((reverse) => reverse.elicit(question(tool, input))),
    Effect.scoped,
    Effect.timeoutOption(TIMEOUT),
    Effect.orElseSucceed(() => Option.none()),
    // The client sent an answer that violates the protocol.
    Effect.catchDefect(() => Effect.succeedNone)
  )
  if (Option.isNone(answer)) return yield* rejected(tool, "the user did not answer")
  if (answer.value.action !== "accept") return yield* rejected(tool, "the user did not agree")
})

const supportsForms = ({ elicitation }: McpSchema.ClientCapabilities): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)

/** Creates an elicitation form without fields. Submitting the form confirms the call. */
const question = (tool: CatalogEntry, input: Readonly<Record<string, unknown>>) =>
  new McpSchema.ElicitRequestFormParams({
    mode: "form",
    message: `${tool.operation.summary}? This cannot be undone. Arguments: ${sanitizeText(JSON.stringify(Truncation.truncate(input, SHOWN.tokens, SHOWN.items)))}`,
    requestedSchema: { type: "object", properties: {} }
  })

const rejected = (tool: CatalogEntry, reason: string) =>
  new ToolError({
    detail: [
      `${tool.operation.summary}: nothing was done. This call cannot be undone, and ${reason}.`,
      "The user can allow such calls by starting the server with `tongs mcp --allow-writes --confirm=never`.",
      "Tell them which call you want to make, and why."
    ].join(" ")
  })
