import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { McpServer } from "effect/ai"
import { HttpEffect, HttpRouter } from "effect/http"
import * as HttpGuard from "./HttpGuard.ts"
import * as Capabilities from "./Capabilities.ts"
import { MAX_SESSIONS } from "./HttpSessions.ts"
import { MAX_MESSAGE_BYTES } from "./StdioMessages.ts"

const URL_VALUE = "http://127.0.0.1:4000/mcp"
const token = "t".repeat(43)
const versions = ["2025-11-25", "2025-06-18"]

/** A guarded MCP server; gives a function that sends a message to the server. */
const serve = Effect.gen(function* () {
  const server = McpServer.layerHttp({
    name: "test",
    version: "1",
    protocols: Capabilities.protocolVersions({}),
    path: "/mcp",
    allowSessionTermination: true
  })
  const app = yield* HttpRouter.toHttpEffect(server)
  const guarded = HttpGuard.guard(app, { token: Redacted.make(token), url: URL_VALUE, versions: versions })
  const handle = HttpEffect.toWebHandler(guarded)
  const send = (message: object | string | undefined, headers: Record<string, string> = {}, method = "POST") =>
    Effect.promise(() =>
      handle(
        new Request(URL_VALUE, {
          method,
          headers: {
            host: "127.0.0.1:4000",
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...headers
          },
          ...(message === undefined
            ? {}
            : typeof message === "string"
              ? { body: message }
              : { body: JSON.stringify(Array.isArray(message) ? message : { jsonrpc: "2.0", ...message }) })
        })
      )
    )
  return send
})

const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}
const ping = { id: 2, method: "ping" }

type Send = Effect.Success<typeof serve>

const begin = (send: Send) =>
  Effect.map(send(initialize), ({ headers, status }) => {
    assert.strictEqual(status, 200)
    return headers.get("mcp-session-id") ?? ""
  })

const use = (send: Send, session: string, version?: string) =>
  Effect.map(
    send(ping, { "mcp-session-id": session, ...(version === undefined ? {} : { "mcp-protocol-version": version }) }),
    ({ status }) => status
  )

describe("HttpGuard", () => {
  it.live("accepts only the host names of this machine", () =>
    Effect.gen(function* () {
      const send = yield* serve
      const status = (host: string) => Effect.map(send(initialize, { host }), (response) => response.status)
      for (const host of [
        "evil.example",
        "evil.example:4000",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        ""
      ]) {
        assert.strictEqual(yield* status(host), 403, host)
      }
      for (const host of ["127.0.0.1:4000", "localhost", "LOCALHOST:9", "[::1]:4000"]) {
        assert.strictEqual(yield* status(host), 200, host)
      }
    })
  )

  it.live("requires the bearer token for every method", () =>
    Effect.gen(function* () {
      const send = yield* serve
      const session = yield* begin(send)
      for (const authorization of [
        "",
        token,
        `Basic ${token}`,
        "Bearer",
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`
      ]) {
        for (const method of ["POST", "DELETE"]) {
          const headers = { authorization, "mcp-session-id": session }
          const response = yield* send(method === "POST" ? ping : undefined, headers, method)
          assert.strictEqual(response.status, 401, authorization)
          assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer realm=/)
          assert.notInclude(yield* Effect.promise(() => response.text()), token)
        }
      }
      assert.strictEqual(yield* use(send, session), 200)
    })
  )

  it.live("rejects messages above the maximum size", () =>
    Effect.gen(function* () {
      const send = yield* serve
      const status = (length: number) =>
        Effect.map(send(initialize, { "content-length": String(length) }), (response) => response.status)
      assert.deepStrictEqual([yield* status(MAX_MESSAGE_BYTES), yield* status(MAX_MESSAGE_BYTES + 1)], [200, 413])
    })
  )

  it.live("rejects batches and bodies that are not JSON", () =>
    Effect.gen(function* () {
      const send = yield* serve
      const session = yield* begin(send)
      const status = (body: object) =>
        Effect.map(send(body, { "mcp-session-id": session }), (response) => response.status)
      assert.strictEqual(yield* status([{ ...ping, jsonrpc: "2.0", id: 1 }]), 400)
      for (const text of ['{"jsonrpc":', "", "ping"]) {
        const response = yield* send(text, { "mcp-session-id": session })
        assert.strictEqual(response.status, 400)
        assert.include(yield* Effect.promise(() => response.text()), "-32700")
      }
    })
  )

  it.live("keeps the version of a session, even if a request names another supported version", () =>
    Effect.gen(function* () {
      const send = yield* serve
      const session = yield* begin(send)
      assert.deepStrictEqual(
        [yield* use(send, session, "2025-06-18"), yield* use(send, session, "2025-11-25")],
        [200, 200]
      )
      assert.deepStrictEqual(
        [yield* use(send, session, "1999-01-01"), yield* use(send, "session-9", "2025-06-18")],
        [400, 404]
      )
    })
  )

  it.live("ends the least recently used session if there are too many", () =>
    Effect.gen(function* () {
      const send = yield* serve
      const sessions = yield* Effect.replicateEffect(begin(send), MAX_SESSIONS)
      const [first = "", second = "", third = "", fourth = ""] = sessions
      assert.strictEqual(new Set(sessions).size, MAX_SESSIONS)
      assert.strictEqual(yield* use(send, first), 200)
      assert.strictEqual((yield* send(undefined, { "mcp-session-id": third }, "DELETE")).status, 204)
      assert.strictEqual(yield* use(send, third), 404)
      yield* begin(send)
      assert.strictEqual(yield* use(send, second), 200)
      yield* begin(send)
      assert.deepStrictEqual(
        [yield* use(send, fourth), yield* use(send, second), yield* use(send, first)],
        [404, 200, 200]
      )
    })
  )
})
