/** Registers the prompts whose tools the server offers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as McpSchema from "effect/ai/McpSchema"
import type * as McpServer from "effect/ai/McpServer"
import type { RepositoryName } from "../call/Call.ts"
import type { Complete } from "../resources/Completions.ts"
import { type Prompt, prompts } from "./PromptTexts.ts"

/** The parts of the server that prompts use. */
export interface Options {
  readonly defaultRepository: RepositoryName | undefined
  /** Names of the tools. */
  readonly names: ReadonlyArray<string>
  /** Completes a branch or tag of the repository in the arguments `owner` and `repo`. */
  readonly completeRef: Complete
}

/** Registers the prompts. */
export const register = Effect.fnUntraced(function* (server: McpServer.McpServer["Service"], options: Options) {
  const has = (tool: string) => options.names.includes(tool)
  for (const prompt of prompts.filter(({ tools }) => tools.every(has))) {
    const refs = prompt.arguments.filter(({ isRef }) => isRef === true)
    yield* server.addPrompt({
      prompt: new McpSchema.Prompt({
        name: prompt.name,
        description: prompt.description,
        arguments: prompt.arguments.map(({ description, name, required }) =>
          McpSchema.PromptArgument.make({ name, description, required })
        )
      }),
      annotations: Context.empty(),
      completions: Object.fromEntries(refs.map(({ name }) => [name, completion(options)])),
      handle: (given) => result(prompt, given, has)
    })
  }
})

const completion =
  ({ completeRef, defaultRepository }: Options): Complete =>
  (value, known) => {
    const [owner, repo] = known?.arguments?.["repo"]?.split("/") ?? [defaultRepository?.owner, defaultRepository?.repo]
    return owner === undefined || repo === undefined
      ? Effect.succeed(McpSchema.CompleteResult.empty)
      : completeRef(value, { arguments: { owner, repo } })
  }

const result = (
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
  has: (tool: string) => boolean
): Effect.Effect<McpSchema.GetPromptResult, McpSchema.InvalidParams> => {
  const missing = prompt.arguments.filter(({ name, required }) => required && (given[name] ?? "").trim() === "")
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ")
    return Effect.fail(new McpSchema.InvalidParams({ message: `The prompt ${prompt.name} needs ${names}.` }))
  }
  const text = prompt.text(given, has).join("\n")
  return Effect.succeed(
    new McpSchema.GetPromptResult({
      description: prompt.description,
      messages: [
        McpSchema.PromptMessage.make({ role: "user", content: McpSchema.TextContent.make({ type: "text", text }) })
      ]
    })
  )
}
