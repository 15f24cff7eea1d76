/** Helpers for the tools, resources and prompts that the conformance tests call. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"

/** The services of a fixture. */
type Service = McpSchema.McpRequestContext | McpServer.McpServer

type ToolAnswer = McpSchema.CallToolResult | McpSchema.InputRequired

/** A tool with the name and result that the conformance tests require. */
export interface Tool {
  readonly name: string
  readonly inputSchema?: McpSchema.ToolJson
  readonly handle: (input: unknown) => Effect.Effect<ToolAnswer, McpSchema.InvalidParams, Service>
}

/** Registers tools with the server. */
export const registerTools = Effect.fnUntraced(function* (tools: ReadonlyArray<Tool>) {
  const server = yield* McpServer.McpServer
  for (const { handle, inputSchema, name } of tools) {
    yield* server.addTool({
      tool: new McpSchema.Tool({
        name,
        description: `The conformance tests call ${name}.`,
        inputSchema: inputSchema ?? { type: "object", properties: {}, additionalProperties: false }
      }),
      annotations: Context.empty(),
      handle: (input: unknown) => Effect.provideService(handle(input), McpServer.McpServer, server)
    })
  }
})

/** Returns a result with these content blocks. */
export const result = (...content: McpSchema.CallToolResult["content"]) => new McpSchema.CallToolResult({ content })

/** Returns a text block. */
export const text = (value: string) => McpSchema.TextContent.make({ type: "text", text: value })

/** A PNG image of one red pixel. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64"
)

/** A WAV file without samples. */
export const silence = Buffer.concat([
  Buffer.from("RIFF"),
  Buffer.from([36, 0, 0, 0]),
  Buffer.from("WAVEfmt "),
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]),
  Buffer.from("data"),
  Buffer.from([0, 0, 0, 0])
])

/** Returns an elicitation request for a form with these properties, all required. */
export const form = (message: string, properties: Readonly<Record<string, object>>) =>
  ({
    method: "elicitation/create",
    params: {
      mode: "form",
      message,
      requestedSchema: { type: "object", properties, required: Object.keys(properties) }
    }
  }) as const // literal types

/** Returns a request for a completion by the client's model. */
export const sampling = (prompt: string) =>
  ({
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens: 100 }
  }) as const // literal types

const secret = randomBytes(32)

const signature = (value: string) => createHmac("sha256", secret).update(value).digest("hex")

/** Returns a state that clients can send back, but not change. */
export const seal = (value: string) => `${value}.${signature(value)}`

/** Returns the sealed value. Fails if a client changed the state. */
export const unseal = (state: string) => {
  const end = state.lastIndexOf(".")
  const value = state.slice(0, end)
  const [given, expected] = [state.slice(end + 1), signature(value)].map((one) => Buffer.from(one))
  return given !== undefined &&
    expected !== undefined &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
    ? Effect.succeed(value)
    : Effect.fail(new McpSchema.InvalidParams({ message: "The request state was changed." }))
}

/** Returns a member of a value of unknown type. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
