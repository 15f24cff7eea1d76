/** Registers tools, resources and prompts with the MCP server. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as MappedClient from "@tongs/core/client/MappedClient"
import * as AnswerData from "./answer/AnswerData.ts"
import * as CursorStore from "./call/CursorStore.ts"
import * as ExtensionProbe from "./call/ExtensionProbe.ts"
import * as Pace from "./call/Pace.ts"
import type { Tool } from "./call/Tool.ts"
import * as ReadMarks from "./files/ReadMarks.ts"
import * as SecretMask from "./text/SecretMask.ts"
import * as Tools from "./Tools.ts"
import * as Prompts from "./prompts/Prompts.ts"
import * as Completions from "./resources/Completions.ts"
import * as Resources from "./resources/Resources.ts"
import * as Guard from "./writes/Guard.ts"
import * as ToolCall from "./ToolCall.ts"

/** Settings of the tools. */
export interface Options extends Tools.Selection {
  /** Maximum time of a call in seconds. */
  readonly deadline: number
  /** Answers with structured content and output schemas, beside the text. */
  readonly structured: boolean
}

/** Registers the tools of a selection. */
export const layer = (options: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      const client = yield* Forge
      const forge = MappedClient.make(client, (result) => SecretMask.maskResult(result, client.mask))
      const { kind, label, repository, searchesWorkTrees = false } = yield* Connection
      const tools = Tools.select(options, repository)
      const shown = ReadMarks.makeShown()
      const context: ToolCall.Context = {
        cursors: CursorStore.make(),
        defaultRepository: repository,
        searchesWorkTrees,
        forge,
        guard: Guard.make(options, { forge, label, shown }),
        scheduler: yield* Scheduler,
        isRemote: kind === "remote",
        pace: Pace.make(),
        shown,
        names: tools.map(({ name }) => name),
        notify: server.notifications["notifications/progress"],
        options
      }
      const hidden = context.isRemote ? yield* hiddenWithoutExtensions(forge) : undefined
      for (const tool of tools)
        yield* server.addTool({
          ...registration(tool, context),
          ...(tool.needsExtension ? { services: hidden } : {})
        })
      if (options.toolsets === undefined) {
        yield* addResources(tools, server, context)
        yield* Prompts.register(server, {
          defaultRepository: repository,
          names: context.names,
          completeRef: Completions.make(forge, repository).ref
        })
      }
    })
  )

/** Registers resources with the answers of tools. */
const addResources = (
  tools: ReadonlyArray<Tool>,
  server: McpServer.McpServer["Service"],
  context: ToolCall.Context
) => {
  const { defaultRepository, forge } = context
  return Resources.register(server, {
    forge,
    defaultRepository,
    tools,
    run: (tool, args) => ToolCall.run(tool, args, context),
    describe: (error, tool) =>
      Effect.map(Clock.currentTimeMillis, (now) => ToolCall.describe(error, forge.mask, { ...context, tool, now }))
  })
}

/**
 * Hides tools if the forge has no extensions. A list waits for the forge's answer; without an answer, tools are not
 * listed, but can be called.
 */
const hiddenWithoutExtensions = (forge: Forge["Service"]) => {
  const hasExtensions = ExtensionProbe.make(forge)
  const { layer } = McpServer.visibility(({ method }) =>
    Effect.map(hasExtensions, (has) => has ?? method !== "tools/list")
  )
  return Layer.build(layer)
}

const outputSchema = { type: "object", ...Schema.toJsonSchemaDocument(AnswerData.AnswerData).schema } as const // a literal type

const registration = (tool: Tool, context: ToolCall.Context) => ({
  tool: new McpSchema.Tool({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(context.options.structured ? { outputSchema } : {}),
    // Clients assume an open world.
    annotations: { ...tool.hints, ...(context.isRemote ? {} : { openWorldHint: false }) }
  }),
  annotations: Context.empty(),
  handle: (payload: unknown) => ToolCall.call(tool, payload, context)
})
