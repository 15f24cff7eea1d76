import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { HttpEffect, HttpRouter } from "effect/http"
import * as Capabilities from "./Capabilities.ts"

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

const registrations = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    const annotations = Context.empty()
    yield* server.addTool({
      tool: new McpSchema.Tool({ name: "tool", inputSchema: { type: "object" } }),
      annotations,
      handle: () => Effect.succeed(new McpSchema.CallToolResult({ content: [] }))
    })
    yield* server.addResource({
      resource: new McpSchema.Resource({ uri: "test://one", name: "one" }),
      annotations,
      handle: Effect.succeed(McpSchema.ReadResourceResult.make({ contents: [] }))
    })
  })
)

/** A server over HTTP; gives a function that sends a message without a session, and returns the response. */
const serve = (capabilities: Capabilities.Capabilities) =>
  Effect.map(
    HttpRouter.toHttpEffect(
      McpServer.layerHttp({
        name: "test",
        version: "1",
        protocols: Capabilities.protocolVersions(capabilities),
        path: "/mcp",
        registrations
      })
    ),
    (app) => {
      const handle = HttpEffect.toWebHandler(app)
      return (method: string, params: object, headers: Readonly<Record<string, string>> = {}) =>
        Effect.promise(async () => {
          const response = await handle(
            new Request("http://127.0.0.1/mcp", {
              method: "POST",
              headers: {
                "content-type": "application/json",
                accept: "application/json, text/event-stream",
                ...headers
              },
              body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
            })
          )
          const session = response.headers.get("mcp-session-id") ?? ""
          return { status: response.status, session, body: JSON.parse((await response.text()) || "null") }
        })
    }
  )

type Send = Effect.Success<ReturnType<typeof serve>>

const initialize = (send: Send, protocolVersion: string) =>
  send("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } })

const stateless = (send: Send, method: string, params: object = {}) =>
  send(method, { ...params, _meta: meta }, { "mcp-protocol-version": "2026-07-28", "mcp-method": method })

describe("Capabilities", () => {
  for (const { protocolVersion } of Capabilities.protocolVersions({}).slice(1)) {
    it.live(`advertises only what the server has (${protocolVersion})`, () =>
      Effect.gen(function* () {
        const least = yield* initialize(yield* serve({}), protocolVersion)
        assert.strictEqual(least.body.result.protocolVersion, protocolVersion)
        assert.deepStrictEqual(least.body.result.capabilities, { tools: {}, resources: {} })
        const most = yield* initialize(yield* serve({ completions: true, logging: true }), protocolVersion)
        const { completions, ...others } = most.body.result.capabilities
        assert.deepStrictEqual(others, { logging: {}, tools: {}, resources: {} })
        // The oldest version has completions without a capability.
        assert.deepStrictEqual(completions, protocolVersion === "2024-11-05" ? undefined : {})
      })
    )
  }

  it.live("advertises only what the server has (2026-07-28)", () =>
    Effect.gen(function* () {
      const least = yield* stateless(yield* serve({}), "server/discover")
      assert.deepStrictEqual(least.body.result.capabilities, { tools: {}, resources: {} })
      const most = yield* stateless(yield* serve({ completions: true, logging: true }), "server/discover")
      assert.deepStrictEqual(most.body.result.capabilities, { completions: {}, logging: {}, tools: {}, resources: {} })
    })
  )

  it.live("does not know the methods of absent capabilities", () =>
    Effect.gen(function* () {
      const send = yield* serve({})
      const { session } = yield* initialize(send, "2025-11-25")
      for (const [method, params] of [
        ["logging/setLevel", { level: "debug" }],
        ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }],
        ["resources/subscribe", { uri: "test://one" }],
        ["resources/unsubscribe", { uri: "test://one" }]
      ] as const) {
        const { body } = yield* send(method, params, { "mcp-session-id": session })
        assert.deepStrictEqual(body.error, { code: -32601, message: `Method not found: ${method}` })
      }
      for (const method of ["completion/complete", "subscriptions/listen"]) {
        const { body, status } = yield* stateless(send, method)
        assert.deepStrictEqual([status, body.error?.code], [404, -32601], method)
      }
    })
  )

  it.live("answers the methods of present capabilities", () =>
    Effect.gen(function* () {
      const send = yield* serve({ completions: true, logging: true })
      const { session } = yield* initialize(send, "2025-11-25")
      const headers = { "mcp-session-id": session }
      const logging = yield* send("logging/setLevel", { level: "debug" }, headers)
      assert.deepStrictEqual(logging.body.result, {})
      const argument = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }
      const completion = yield* send("completion/complete", argument, headers)
      assert.deepStrictEqual(completion.body.error?.code, -32602)
    })
  )
})
