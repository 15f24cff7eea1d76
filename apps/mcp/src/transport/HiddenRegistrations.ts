/**
 * Hidden registrations. `McpServer` advertises tools, resources and prompts if any are registered, and clients read this
 * in the answer to `initialize`, before the real ones are loaded. No client can see or use a placeholder.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"

/** The kinds of registrations that follow. */
export interface Kinds {
  readonly resources: boolean
  readonly prompts: boolean
}

const hidden = Context.make(McpSchema.EnabledWhen, () => false)
const NAME = "loading"
const unused = Effect.die("a placeholder was used")

/** Registers a hidden tool, and a hidden resource and prompt if real ones follow. */
export const layer = (kinds: Kinds) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      yield* server.addTool({
        tool: new McpSchema.Tool({ name: NAME, inputSchema: { type: "object" } }),
        annotations: hidden,
        handle: () => unused
      })
      if (kinds.resources) {
        yield* server.addResource({
          resource: new McpSchema.Resource({ uri: "forge://loading", name: NAME }),
          annotations: hidden,
          handle: unused
        })
      }
      if (kinds.prompts) {
        yield* server.addPrompt({
          prompt: new McpSchema.Prompt({ name: NAME }),
          annotations: hidden,
          completions: {},
          handle: () => unused
        })
      }
    })
  )
