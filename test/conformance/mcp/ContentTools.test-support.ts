/** Tools whose results have each kind of content, or that send notifications. */
import * as Effect from "effect/Effect"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { member, pixel, result, silence, text, type Tool } from "./Fixture.test-support.ts"

const image = McpSchema.ImageContent.make({ type: "image", data: pixel, mimeType: "image/png" })

const resource = (uri: string, mimeType: string, content: string) =>
  McpSchema.EmbeddedResource.make({ type: "resource", resource: { uri, mimeType, text: content } })

const progress = Effect.fnUntraced(function* () {
  const { notifications } = yield* McpServer.McpServer
  const progressToken = member((yield* McpSchema.McpRequestContext).requestMetadata, "progressToken")
  if (typeof progressToken !== "string" && typeof progressToken !== "number") return result(text("No progress token."))
  for (const step of [0, 50, 100]) {
    yield* notifications["notifications/progress"]({ progressToken, progress: step, total: 100 })
    yield* Effect.sleep(5)
  }
  return result(text("Done."))
})

const log = Effect.fnUntraced(function* () {
  const { notifications } = yield* McpServer.McpServer
  for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    yield* notifications["notifications/message"]({ level: "info", logger: "conformance", data })
    yield* Effect.sleep(5)
  }
  return result(text("Done."))
})

/** Keywords of JSON Schema 2020-12 that must reach the client unchanged. */
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } }
    }
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" }
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false
} as const // literal types

export const contentTools: ReadonlyArray<Tool> = [
  {
    name: "test_simple_text",
    handle: () => Effect.succeed(result(text("This is a simple text response for testing.")))
  },
  { name: "test_image_content", handle: () => Effect.succeed(result(image)) },
  {
    name: "test_audio_content",
    handle: () =>
      Effect.succeed(result(McpSchema.AudioContent.make({ type: "audio", data: silence, mimeType: "audio/wav" })))
  },
  {
    name: "test_embedded_resource",
    handle: () =>
      Effect.succeed(
        result(resource("test://embedded-resource", "text/plain", "This is an embedded resource content."))
      )
  },
  {
    name: "test_multiple_content_types",
    handle: () =>
      Effect.succeed(
        result(
          text("Multiple content types test:"),
          image,
          resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
        )
      )
  },
  {
    name: "test_error_handling",
    handle: () =>
      Effect.succeed(
        new McpSchema.CallToolResult({
          isError: true,
          content: [text("This tool intentionally returns an error for testing")]
        })
      )
  },
  { name: "test_tool_with_progress", handle: progress },
  { name: "test_tool_with_logging", handle: log },
  { name: "test_logging_tool", handle: log },
  { name: "json_schema_2020_12_tool", inputSchema: schema, handle: () => Effect.succeed(result(text("Done."))) },
  {
    name: "test_custom_headers",
    inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    handle: () => Effect.succeed(result(text("Done.")))
  }
]
