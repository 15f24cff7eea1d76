/** Asks the person, through their client, before a call that no later call can undo. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as McpSchema from "effect/ai/McpSchema"
import * as Compaction from "../output/Compaction.ts"
import { sanitizeText } from "../output/SafeText.ts"
import { type Tool, ToolError } from "./Tool.ts"

/** How long a question waits for the person. */
const PATIENCE = Duration.minutes(5)

/** Tokens of each text, and items of each list, that a question shows: no long argument hides the others. */
const SHOWN = { text: 40, items: 10 } as const // constants

/**
 * Fails unless the person agrees. `input` has the default repository, too, so that the question names it. Without a
 * session, or without the client's `elicitation`, nobody can be asked.
 */
export const require = Effect.fnUntraced(function* (tool: Tool, input: Readonly<Record<string, unknown>>) {
  const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
  if (Option.isNone(client) || !canAsk(client.value.clientCapabilities)) {
    return yield* refused(tool, "and the person cannot be asked through this client")
  }
  const answer = yield* client.value.getClient.pipe(
    Effect.flatMap((reverse) => reverse.elicit(question(tool, input))),
    Effect.scoped,
    Effect.timeoutOption(PATIENCE),
    Effect.orElseSucceed(() => Option.none()),
    // An answer that the protocol does not allow.
    Effect.catchDefect(() => Effect.succeedNone)
  )
  if (Option.isNone(answer)) return yield* refused(tool, "and the person did not answer")
  if (answer.value.action !== "accept") return yield* refused(tool, "and the person did not agree")
})

const canAsk = ({ elicitation }: McpSchema.ClientCapabilities): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)

/** A form without fields: to submit it is to agree. */
const question = (tool: Tool, input: Readonly<Record<string, unknown>>) =>
  new McpSchema.ElicitRequestFormParams({
    mode: "form",
    message: `${tool.operation.summary}? It cannot be undone. Arguments: ${sanitizeText(JSON.stringify(Compaction.truncate(input, SHOWN.text, SHOWN.items)))}`,
    requestedSchema: { type: "object", properties: {} }
  })

const refused = (tool: Tool, why: string) =>
  new ToolError({
    detail: [
      `${tool.operation.summary}: nothing was done. No later call could undo this one, ${why}.`,
      "The person who runs the server can allow such calls by starting it with `tongs mcp --allow-writes --confirm=never`:",
      "tell them what you wanted to do and why."
    ].join(" ")
  })
