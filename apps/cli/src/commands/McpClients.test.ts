import { assert, it } from "@effect/vitest"
import * as McpClients from "./McpClients.ts"

const server = { command: "/bin/tongs", args: ["mcp", "--demo"] }
const URL_VALUE = "http://127.0.0.1:4182/mcp"
const headers = { Authorization: "Bearer t" }

it("prints the form that each client documents", () => {
  const plain = { mcpServers: { tongs: server } }
  const { args, command } = server
  for (const [client, stdio, http] of [
    ["gemini", plain, { mcpServers: { tongs: { httpUrl: URL_VALUE, headers } } }],
    ["jetbrains", plain, { mcpServers: { tongs: { url: URL_VALUE, headers } } }],
    ["windsurf", plain, { mcpServers: { tongs: { serverUrl: URL_VALUE, headers } } }],
    [
      "copilot",
      { mcpServers: { tongs: { type: "local", command, args, tools: ["*"] } } },
      { mcpServers: { tongs: { type: "http", url: URL_VALUE, headers, tools: ["*"] } } }
    ],
    [
      "opencode",
      { mcp: { tongs: { type: "local", command: [command, ...args], enabled: true } } },
      { mcp: { tongs: { type: "remote", url: URL_VALUE, headers, enabled: true } } }
    ]
  ] as const) {
    assert.deepStrictEqual(JSON.parse(McpClients.stdio(client, server)), stdio)
    assert.deepStrictEqual(JSON.parse(McpClients.http(client, { url: URL_VALUE, token: "t" })), http)
  }
})

it("says for each client where the configuration belongs", () => {
  for (const client of McpClients.clients)
    assert.strictEqual(McpClients.placeOf(client) === undefined, client === "claude", client)
})
