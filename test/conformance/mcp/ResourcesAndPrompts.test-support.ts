/** The resources and prompts that the conformance tests read. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { form, pixel, text } from "./Fixture.test-support.ts"

/** Registers the resources, and a template with completion. */
export const registerResources = Effect.gen(function* () {
  const server = yield* McpServer.McpServer
  const add = (uri: string, mimeType: string, content: { readonly text: string } | { readonly blob: Uint8Array }) =>
    server.addResource({
      resource: new McpSchema.Resource({ uri, name: uri, description: `The conformance tests read ${uri}.`, mimeType }),
      annotations: Context.empty(),
      handle: Effect.succeed(McpSchema.ReadResourceResult.make({ contents: [{ uri, mimeType, ...content }] }))
    })
  yield* add("test://static-text", "text/plain", { text: "This is the content of the static text resource." })
  yield* add("test://static-binary", "image/png", { blob: pixel })
  yield* add("test://watched-resource", "text/plain", { text: "This resource never changes." })
  yield* server.addResourceTemplate({
    template: new McpSchema.ResourceTemplate({
      uriTemplate: "test://template/{id}/data",
      name: "template",
      description: "The conformance tests read test://template/123/data.",
      mimeType: "application/json"
    }),
    annotations: Context.empty(),
    routerPath: "test:://template/:0/data",
    completions: {
      id: (input) => Effect.succeed({ completion: { values: ["123", "124"].filter((id) => id.startsWith(input)) } })
    },
    handle: (uri, [id = ""]) =>
      Effect.succeed(
        McpSchema.ReadResourceResult.make({
          contents: [
            {
              uri,
              mimeType: "application/json",
              text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
            }
          ]
        })
      )
  })
})

type PromptAnswer = McpSchema.GetPromptResult | McpSchema.InputRequired

const messages = (...content: ReadonlyArray<McpSchema.ContentBlock>) =>
  new McpSchema.GetPromptResult({ messages: content.map((one) => ({ role: "user", content: one })) })

export const registerPrompts = Effect.gen(function* () {
  const server = yield* McpServer.McpServer
  const add = (
    name: string,
    names: ReadonlyArray<string>,
    handle: (
      params: Readonly<Record<string, string>>
    ) => Effect.Effect<PromptAnswer, never, McpSchema.McpRequestContext>
  ) =>
    server.addPrompt({
      prompt: new McpSchema.Prompt({
        name,
        description: `The conformance tests get ${name}.`,
        arguments: names.map((argument) => McpSchema.PromptArgument.make({ name: argument, required: true }))
      }),
      annotations: Context.empty(),
      completions: Object.fromEntries(
        names.map((argument) => [
          argument,
          (input: string) => Effect.succeed({ completion: { values: [`${input}ing`], total: 1 } })
        ])
      ),
      handle
    })
  yield* add("test_simple_prompt", [], () => Effect.succeed(messages(text("This is a simple prompt for testing."))))
  yield* add("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) =>
    Effect.succeed(messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)))
  )
  yield* add("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) =>
    Effect.succeed(
      messages(
        McpSchema.EmbeddedResource.make({
          type: "resource",
          resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." }
        }),
        text("Please process the embedded resource above.")
      )
    )
  )
  yield* add("test_prompt_with_image", [], () =>
    Effect.succeed(
      messages(
        McpSchema.ImageContent.make({ type: "image", data: pixel, mimeType: "image/png" }),
        text("Please analyze the image above.")
      )
    )
  )
  yield* add("test_input_required_result_prompt", [], () =>
    Effect.map(McpSchema.McpRequestContext, ({ inputResponses }) =>
      inputResponses?.["user_context"] === undefined
        ? new McpSchema.InputRequired({
            inputRequests: {
              user_context: form("What context should the prompt use?", { context: { type: "string" } })
            }
          })
        : messages(text(JSON.stringify(inputResponses)))
    )
  )
})
